// DirectRank [Tan13]: a linear model that maximises the measure itself by exact line searches
// (direct_search.h), from many starts. After every round of every climb the model is a candidate:
// the best on the validation data is returned, or on the training data if there is no validation
// data.
//
// Starts are random points and other learners' solutions. Then the highest point on the training
// data is perturbed a few times ("kicks"): small random changes of all weights, from which the
// search climbs again.
//
// Climbs run their rounds in parallel, one per thread, and synchronise after each: the log and the
// result do not depend on threads. With several ranks they run one after another, because every
// search is then collective.
//
// A checkpoint has the state of every climb after its last round.
//
// Differs from [Tan13]: not all starts are random, there are kicks, and features are scaled.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/direct_search/directrank_options.h"
#include "learners/direct_search/directrank_state.h"
#include "learners/direct_search/line_work.h"
#include "learners/memory_estimate.h"
#include "models/linear/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::int64_t kKicksAtOnce = 4;

// The number of queries without a value of the measure. Throws an Error if all queries of all ranks
// are such.
std::size_t count_skipped(const Dataset& data, const Measure& measure, Context& context) {
  std::int64_t used = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    std::vector<float> ideal;
    for (const float label : data.labels(q))
      if (!std::isnan(label)) ideal.push_back(label);
    std::sort(ideal.begin(), ideal.end(), std::greater<>());
    used += data.query_weight(q) > 0 && measure.value({data.labels(q), ideal}).has_value();
  }
  const std::size_t skipped = data.queries() - static_cast<std::size_t>(used);
  context.comm.all_reduce_sum(std::span(&used, 1));
  if (used == 0)
    throw Error(ErrorCode::training,
                fmt::format("no query contributes to {}: each lacks a relevant document (see "
                            "‹relevant-from›) or has weight 0",
                            measure.name()));
  return count_over_ranks(skipped, context.comm);
}

class DirectRanker {
 public:
  DirectRanker(const TrainingProblem& problem, const DirectRankOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        quiet_{context.seed, context.pool, context.comm, silent_, context.stop},
        objective_(objective_measure(options.objective, problem)),
        logged_{problem.measure},
        deadline_(options.max_seconds) {
    logged_.insert(logged_.end(), problem.also_log.begin(), problem.also_log.end());
  }

  TrainingResult run();

 private:
  std::unique_ptr<SearchSpace> make_space();
  void find_starts();
  void begin_race(std::vector<std::vector<double>> from);
  DirectRankState snapshot() const;
  enum class Raced { to_the_end, interrupted };
  Raced race();
  void end_race();
  enum class Kicked { yes, often_enough };
  Kicked kick_highest();
  std::vector<std::size_t> active() const;
  void advance_all(std::span<const std::size_t> active);
  void advance(std::size_t k);
  void keep_if_best(std::size_t k);

  const TrainingProblem& problem_;
  const DirectRankOptions& options_;
  Context& context_;
  Observer silent_;
  Context quiet_;  // for climbs, which may run in parallel
  MeasurePtr objective_;
  std::vector<MeasurePtr> logged_;
  Deadline deadline_;
  std::unique_ptr<SearchSpace> space_;
  DirectRankState state_;
  std::vector<std::unique_ptr<Climb>> climbs_;  // one per racer
  bool hurried_ = false;  // starts were cut short: later states must not be resumed
};

std::unique_ptr<SearchSpace> DirectRanker::make_space() {
  std::int64_t documents = static_cast<std::int64_t>(problem_.train.documents());
  context_.comm.all_reduce_sum(std::span(&documents, 1));
  using Directions = DirectSearchOptions::Directions;
  const bool follows_loss =
      options_.directions == Directions::gradient || options_.directions == Directions::mixed;
  std::optional<SharedLoss> loss;
  if (follows_loss) loss = parse_loss(options_.direction_loss);
  return std::make_unique<SearchSpace>(problem_.train, objective_, problem_.convention,
                                       loss ? &**loss : nullptr,
                                       search_options(options_, documents), context_);
}

void DirectRanker::find_starts() {
  const TrainingProblem towards{problem_.train, nullptr, objective_, problem_.convention,
                                problem_.start};
  const StartFinder finder(towards, {options_.restarts, options_.starts}, space_->columns(),
                           context_);
  while (!finder.has_all(state_.starts)) {
    const Starts before = state_.starts;
    finder.find_next(state_.starts, context_);
    if (deadline_.reached(context_)) {
      // The result of a learner that was cut short is good enough now, but must not be saved for
      // another run.
      DirectRankState kept = state_;
      kept.starts = before;
      keep(context_, kept, deadline_);
      hurried_ = true;
      break;
    }
    keep_if_due(context_, state_, deadline_);
  }
  begin_race(finder.with_random(state_.starts));
  state_.starts = {};
  state_.phase = DirectRankState::Phase::racing;
}

void DirectRanker::begin_race(std::vector<std::vector<double>> from) {
  if (from.empty())
    throw Error(ErrorCode::usage, "nowhere to start from: give ‹restarts› or ‹starts›");
  state_.racers.clear();
  climbs_.clear();
  state_.round = 0;
  for (auto& weights : from) {
    state_.racers.push_back({++state_.begun, EarlyStopping(options_.early_stopping)});
    climbs_.push_back(std::make_unique<Climb>(*space_, ClimbState{std::move(weights)}, context_));
  }
}

DirectRankState DirectRanker::snapshot() const {
  DirectRankState state = state_;
  for (std::size_t k = 0; k < climbs_.size(); ++k) state.racers[k].climb = climbs_[k]->state();
  return state;
}

void DirectRanker::advance(std::size_t k) {
  Racer& racer = state_.racers[k];
  const auto interrupted = [&] { return deadline_.reached(quiet_).has_value(); };
  const Climb::Outcome outcome = climbs_[k]->round(interrupted, quiet_);
  if (problem_.valid) {
    const auto scores = score(climbs_[k]->model(), *problem_.valid, context_.pool);
    Context patient = quiet_;
    patient.stop = {};  // a climb that is stopped still needs its value
    racer.valid =
        Evaluator(logged_, problem_.convention).evaluate(*problem_.valid, scores, patient).values;
    racer.best.improves(state_.round, racer.valid[0]);
  }
  if (outcome == Climb::Outcome::interrupted)
    racer.termination = Termination::stopped;
  else if (outcome == Climb::Outcome::converged)
    racer.termination = Termination::converged;
  else if (racer.best.should_stop())
    racer.termination = Termination::early_stopping;
  else if (state_.round == options_.max_rounds)
    racer.termination = Termination::iteration_limit;
}

// One thread per climb if there are enough climbs; else all threads for one climb after another.
void DirectRanker::advance_all(std::span<const std::size_t> active) {
  const auto advance_one = [&](std::size_t k) { advance(active[k]); };
  const bool side_by_side = context_.comm.size() == 1 &&
                            active.size() >= static_cast<std::size_t>(context_.pool.threads());
  if (side_by_side)
    context_.pool.run(active.size(), advance_one);
  else
    for (std::size_t k = 0; k < active.size(); ++k) advance_one(k);
}

void DirectRanker::keep_if_best(std::size_t k) {
  const Racer& racer = state_.racers[k];
  Iteration step{static_cast<std::int64_t>(state_.log.size() + 1),
                 0,
                 {{"start", static_cast<double>(racer.start)},
                  {"round", static_cast<double>(state_.round)},
                  {"unbounded steps", static_cast<double>(climbs_[k]->unbounded_steps())},
                  {"train " + objective_->name(), climbs_[k]->value()}}};
  for (std::size_t m = 0; m < racer.valid.size(); ++m)
    step.values.emplace_back("valid " + logged_[m]->name(), racer.valid[m]);
  const double value = problem_.valid ? racer.valid[0] : climbs_[k]->value();
  if (state_.chosen.iteration == 0 || value > state_.chosen.value)
    state_.chosen = {step.number, racer.start, state_.round, value, climbs_[k]->model().weights};
  context_.observer.iteration(step);
  state_.log.push_back(std::move(step));
}

std::vector<std::size_t> DirectRanker::active() const {
  std::vector<std::size_t> active;
  for (std::size_t k = 0; k < state_.racers.size(); ++k)
    if (!state_.racers[k].termination) active.push_back(k);
  return active;
}

// Runs all climbs to the end, in parallel.
DirectRanker::Raced DirectRanker::race() {
  for (auto running = active(); !running.empty(); running = active()) {
    const DirectRankState before = context_.checkpoints ? snapshot() : DirectRankState();
    ++state_.round;
    advance_all(running);
    for (const std::size_t k : running) keep_if_best(k);
    const auto stopped = [](const Racer& racer) {
      return racer.termination == Termination::stopped;
    };
    if (std::any_of(state_.racers.begin(), state_.racers.end(), stopped)) {
      if (!hurried_) keep(context_, before, deadline_);
      return Raced::interrupted;
    }
    if (context_.checkpoints) keep_if_due(context_, snapshot(), deadline_);
  }
  return Raced::to_the_end;
}

void DirectRanker::end_race() {
  for (std::size_t k = 0; k < climbs_.size(); ++k) {
    if (state_.highest.empty() || climbs_[k]->value() > state_.height) {
      state_.highest.assign(climbs_[k]->weights().begin(), climbs_[k]->weights().end());
      state_.height = climbs_[k]->value();
    }
    if (state_.termination == Termination::converged)
      state_.termination = *state_.racers[k].termination;
  }
}

DirectRanker::Kicked DirectRanker::kick_highest() {
  if (space_->columns().moving().empty() || state_.kicks >= options_.kicks)
    return Kicked::often_enough;
  std::vector<std::vector<double>> kicked;
  const std::int64_t until = std::min(state_.kicks + kKicksAtOnce, options_.kicks);
  while (state_.kicks < until)
    kicked.push_back(kick(state_.highest, space_->columns(), context_.seed, ++state_.kicks));
  begin_race(std::move(kicked));
  return Kicked::yes;
}

TrainingResult DirectRanker::run() {
  TrainingResult result;
  result.skipped_queries = count_skipped(problem_.train, *objective_, context_);
  space_ = make_space();
  note_line_work(*objective_, problem_.train,
                 static_cast<std::size_t>(std::max<std::int64_t>(options_.restarts, 1)) *
                     space_->columns().moving().size(),
                 context_);
  resume(context_, state_, deadline_);
  if (state_.phase == DirectRankState::Phase::starting) find_starts();
  for (std::size_t k = climbs_.size(); k < state_.racers.size(); ++k)
    climbs_.push_back(std::make_unique<Climb>(*space_, state_.racers[k].climb, context_));
  context_.observer.phase("climbing");
  Raced raced = race();
  end_race();
  while (raced == Raced::to_the_end && kick_highest() == Kicked::yes) {
    raced = race();
    end_race();
  }
  result.termination = raced == Raced::interrupted
                           ? deadline_.reached(context_).value_or(Termination::stopped)
                           : state_.termination;
  result.model = Linear{std::move(state_.chosen.weights), 0};
  result.best_iteration = state_.chosen.iteration;
  result.chosen = {{"start", static_cast<double>(state_.chosen.start)},
                   {"round", static_cast<double>(state_.chosen.round)}};
  result.log = std::move(state_.log);
  return result;
}

class DirectRank final : public Learner {
 public:
  explicit DirectRank(DirectRankOptions options) : options_(std::move(options)) {}
  bool takes_start() const override { return true; }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    if (problem.train.features() == 0)
      throw Error(ErrorCode::data, "the training data has no features");
    if (!problem.start.train_offset.empty() || problem.start.offset_feature)
      throw Error(ErrorCode::usage,
                  "directrank starts from linear models only: its weights have no scale that "
                  "scores could be added to");
    return DirectRanker(problem, options_, context).run();
  }
  // For the columns and the weights of the starts.
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_for({.per_input = 540, .per_dense_value = 4, .per_sparse_value = 8}, train);
  }

 private:
  DirectRankOptions options_;
};

}  // namespace

const Entry<Learner> kDirectRank = {
    "directrank", "optimises any measure directly, by exact line searches", "Tan13",
    []() -> const std::vector<Field>& { return directrank_options().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<DirectRank>(directrank_options().read(settings));
    }};

}  // namespace podium
