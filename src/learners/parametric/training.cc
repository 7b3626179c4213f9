#include "learners/parametric/training.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "learners/parametric/descent.h"

namespace podium {
namespace {

constexpr std::uint64_t kRestart = 0x72657374617274;  // a stream of its own

bool ends_all(Termination why) {
  return why == Termination::stopped || why == Termination::time_limit;
}

TrainingProgress::Limits limits(const ParametricOptions& options) {
  return {options.early_stopping, options.max_seconds};
}

}  // namespace

TrainingResult train_by_gradients(const TrainingProblem& problem, const ParametricOptions& options,
                                  Context& context) {
  const Optimizer optimizer = choose_optimizer(*problem.loss, options);
  const auto function = make_function(problem, options, context);
  ParametricObjective objective(*function, problem.train, *problem.loss, problem.start.train_offset,
                                context);
  const std::vector<double> path = decay_path(problem, options, objective.weight());
  TrainingProgress progress(problem, *function, limits(options), context);
  Descent descent(problem.train, objective, progress, options, context);
  Termination last = Termination::converged, why = last;
  std::vector<std::pair<std::string, double>> chosen;
  for (std::int64_t r = 0; r < options.restarts && !ends_all(last); ++r) {
    const std::uint64_t seed =
        r == 0 ? context.seed : mix(context.seed ^ kRestart, static_cast<std::uint64_t>(r));
    std::vector<double> parameters = function->start(seed);
    for (std::size_t d = 0; d < path.size() && !ends_all(last); ++d) {
      objective.set_weight_decay(path[d]);
      if (optimizer != Optimizer::lbfgs) parameters = function->start(seed);
      Descent::Tags tags;
      if (path.size() > 1) tags.emplace_back("weight decay", path[d]);
      last = descent.run(optimizer, parameters, seed, tags);
      if (!progress.last_run_leads()) continue;
      why = last;
      chosen = tags;
      if (options.restarts > 1) chosen.emplace_back("restart", static_cast<double>(r + 1));
    }
  }
  TrainingResult result = progress.result();
  result.why = ends_all(last) ? last : why;
  result.chosen = std::move(chosen);
  result.skipped_queries = objective.skipped();
  return result;
}

TrainingResult anneal_by_gradients(const TrainingProblem& problem,
                                   std::span<const AnnealingStage> stages,
                                   const ParametricOptions& options, Context& context) {
  const auto function = make_function(problem, options, context);
  TrainingProgress progress(problem, *function, limits(options), context);
  std::vector<double> parameters = function->start(context.seed);
  Termination last = Termination::converged, why = last;
  std::vector<std::pair<std::string, double>> chosen;
  std::size_t skipped = 0;
  const auto finite = [](double p) { return std::isfinite(p); };
  for (std::size_t s = 0; s < stages.size() && !ends_all(last); ++s) {
    if (!std::all_of(parameters.begin(), parameters.end(), finite)) break;
    ParametricObjective objective(*function, problem.train, *stages[s].loss,
                                  problem.start.train_offset, context);
    objective.set_weight_decay(decay_path(problem, options, objective.weight()).front());
    if (stages[s].role == AnnealingStage::Role::candidate) {
      if (s > 0 && (stages[s - 1].role == AnnealingStage::Role::start || !problem.valid))
        progress.forget();
      skipped = objective.skipped();
    }
    Descent descent(problem.train, objective, progress, options, context);
    last = descent.run(choose_optimizer(*stages[s].loss, options), parameters, context.seed,
                       {{"sigma", stages[s].sigma}});
    if (!progress.last_run_leads()) continue;
    why = last;
    chosen = {{"sigma", stages[s].sigma}};
  }
  TrainingResult result = progress.result();
  result.why = ends_all(last) ? last : why;
  result.chosen = std::move(chosen);
  result.skipped_queries = skipped;
  return result;
}

}  // namespace podium
