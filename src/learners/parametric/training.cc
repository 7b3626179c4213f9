#include "learners/parametric/training.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/loss_work.h"
#include "learners/memory_estimate.h"
#include "learners/parametric/choices.h"
#include "learners/parametric/descent.h"

namespace podium {
namespace {

constexpr std::uint64_t kRestart = 0x72657374617274;  // a separate random stream

bool ends_all(Termination why) {
  return why == Termination::stopped || why == Termination::time_limit;
}

TrainingProgress::Limits limits(const ParametricOptions& options) {
  return {options.early_stopping, options.max_seconds};
}

// A sequence of runs, each of which starts where the previous one ended unless a start is given.
// Its state is saved in checkpoints.
class Runs {
 public:
  using Tags = Descent::Tags;

  Runs(const TrainingProblem& problem, const ScoringFunction& function,
       const ParametricOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        progress_(problem, function, limits(options), context) {
    resume(context, *this);
  }

  std::size_t number() const noexcept { return number_; }  // index of the current run
  bool fresh() const noexcept { return at_.stage == DescentState::Stage::fresh; }
  bool ended() const noexcept { return ends_all(last_); }  // by a stop request or the time limit
  std::span<const double> parameters() const noexcept { return at_.parameters; }
  void start_at(std::vector<double> parameters) { at_.parameters = std::move(parameters); }
  void forget() { progress_.forget(); }

  // `chosen`: values to report if this run gives the best model.
  void run(ParametricObjective& objective, Optimizer optimizer, std::uint64_t seed, Tags tags,
           Tags chosen) {
    const auto keeper = [this](Descent::Keep when) {
      if (when == Descent::Keep::now)
        keep(context_, *this);
      else
        keep_if_due(context_, *this);
    };
    Descent descent(problem_.train, objective, progress_, at_, keeper, options_, context_);
    last_ = descent.run(optimizer, seed, std::move(tags));
    DescentState next;
    next.parameters = std::move(at_.parameters);
    at_ = std::move(next);
    ++number_;
    if (!progress_.last_run_leads()) return;
    why_ = last_;
    chosen_ = std::move(chosen);
  }

  TrainingResult result(std::size_t skipped) {
    TrainingResult result = progress_.result();
    result.termination = ended() ? last_ : why_;
    result.chosen = std::move(chosen_);
    result.skipped_queries = skipped;
    return result;
  }

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.number_, self.at_, self.progress_, self.last_, self.why_, self.chosen_);
  }

 private:
  const TrainingProblem& problem_;
  const ParametricOptions& options_;
  Context& context_;
  TrainingProgress progress_;
  std::size_t number_ = 0;
  DescentState at_;
  Termination last_ = Termination::converged, why_ = Termination::converged;
  Tags chosen_;
};

}  // namespace

TrainingResult train_by_gradients(const TrainingProblem& problem, const Loss& loss,
                                  const ParametricOptions& options, Context& context) {
  const Optimizer optimizer = choose_optimizer(loss, options);
  const auto function = make_function(problem, loss, options, context);
  ParametricObjective objective(*function, problem.train, loss, problem.start.train_offset,
                                context);
  note_work(loss, problem.train, options.epochs, context);
  const std::vector<double> path = decay_path(problem, options, objective.weight());
  Runs runs(problem, *function, options, context);
  const std::size_t count = static_cast<std::size_t>(options.restarts) * path.size();
  while (runs.number() < count && !runs.ended()) {
    const std::size_t restart = runs.number() / path.size(), d = runs.number() % path.size();
    const std::uint64_t seed =
        restart == 0 ? context.seed : mix(context.seed ^ kRestart, std::uint64_t{restart});
    if (runs.fresh() && (d == 0 || optimizer != Optimizer::lbfgs))
      runs.start_at(function->start(seed));
    objective.set_weight_decay(path[d]);
    Descent::Tags tags;
    if (path.size() > 1) tags.emplace_back("weight decay", path[d]);
    Descent::Tags chosen = tags;
    if (options.restarts > 1) chosen.emplace_back("restart", static_cast<double>(restart + 1));
    runs.run(objective, optimizer, seed, std::move(tags), std::move(chosen));
  }
  return runs.result(objective.skipped());
}

TrainingResult anneal_by_gradients(const TrainingProblem& problem,
                                   std::span<const AnnealingStage> stages,
                                   const ParametricOptions& options, Context& context) {
  const auto function = make_function(problem, *stages.back().loss, options, context);
  Runs runs(problem, *function, options, context);
  if (runs.number() == 0 && runs.fresh()) runs.start_at(function->start(context.seed));
  std::size_t skipped = 0;
  const auto finite = [](double p) { return std::isfinite(p); };
  while (runs.number() < stages.size() && !runs.ended()) {
    const std::size_t s = runs.number();
    if (!std::all_of(runs.parameters().begin(), runs.parameters().end(), finite)) break;
    ParametricObjective objective(*function, problem.train, *stages[s].loss,
                                  problem.start.train_offset, context);
    note_work(*stages[s].loss, problem.train, options.epochs, context);
    objective.set_weight_decay(decay_path(problem, options, objective.weight()).front());
    if (stages[s].role == AnnealingStage::Role::candidate) {
      if (runs.fresh() && s > 0 &&
          (stages[s - 1].role == AnnealingStage::Role::start || !problem.valid))
        runs.forget();
      skipped = objective.skipped();
    }
    const Descent::Tags tags = {{"sigma", stages[s].sigma}};
    runs.run(objective, choose_optimizer(*stages[s].loss, options), context.seed, tags, tags);
  }
  return runs.result(skipped);
}

// For the steps of L-BFGS; for networks, the weights with their slopes and moments, for several
// threads.
MemoryNeed memory_of_gradients(const ParametricOptions& options, const Dataset& train) {
  const std::vector<std::size_t> hidden = hidden_widths(options);
  if (hidden.empty()) return memory_for({.per_input = 240}, train);
  double weights = 0;
  auto below = static_cast<double>(train.features());
  for (const std::size_t width : hidden) {
    weights += (below + 1) * static_cast<double>(width);
    below = static_cast<double>(width);
  }
  weights += below + 1;
  return {static_cast<std::uint64_t>(100 * weights), "layers of " + options.hidden};
}

}  // namespace podium
