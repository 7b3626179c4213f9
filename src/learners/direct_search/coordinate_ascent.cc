// Coordinate ascent [Metzler07]: a linear model for any measure, one weight at a time. For each
// weight, in random order, it tries steps that double upwards, then downwards, then the weight 0;
// it takes the best step of the first direction that raises the measure, and scales the weights to
// Σ|w| = 1. Passes over all weights continue while one gains `tolerance`; then the next restart
// begins. The first restart begins with equal weights, the others with random ones. The model after
// the pass with the best measure on the validation data (or training data) is returned.
//
// The search is RankLib's heuristic, for comparison. Differs from RankLib: restarts begin at
// different weights, and every pass is a candidate, not only the last of a restart.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/direct_search/coordinate_ascent_line.h"
#include "learners/memory_estimate.h"
#include "learners/objective_measure.h"
#include "models/linear/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kFirstStep = 0.001;
constexpr double kRelativeStep = 0.05;  // of a weight that the first step would change by half
constexpr double kStepGrowth = 2;

struct CoordinateAscentOptions {
  std::string objective = kProblemsMeasure;
  std::int64_t restarts = 5;
  std::int64_t steps = 25;
  std::int64_t max_passes = 100;
  double tolerance = 0.001;
  double max_seconds = 0;
};

const OptionTable<CoordinateAscentOptions>& coordinate_ascent_table() {
  using Options = CoordinateAscentOptions;
  static const auto options =
      OptionTable<Options>()
          .add("objective", &Options::objective, kObjectiveHelp)
          .add("restarts", &Options::restarts, "number of restarts", at_least(1))
          .add("steps", &Options::steps,
               "step sizes tried in each direction, each twice the previous one", between(1, 60))
          .add("max-passes", &Options::max_passes, "maximum passes over all weights per restart",
               at_least(1))
          .add("tolerance", &Options::tolerance, "a restart ends when a pass gains less than this",
               at_least(0))
          .add("max-seconds", &Options::max_seconds, "stop after this many seconds; 0: never",
               at_least(0))
          .search("tolerance", by_factors(1e-5, 1e-2))
          .search("steps", evenly(10, 30));
  return options;
}

// The state of the search after a pass.
struct SearchState {
  std::int64_t restart = 1;
  std::int64_t passes = 0;  // of this restart
  std::vector<double> weights = {};
  struct Best {
    std::int64_t pass = 0;  // counted over all restarts; 0: none yet
    std::int64_t restart = 0;
    double value = 0;
    std::vector<double> weights = {};
  } best = {};
  std::int64_t cut_short = 0;  // restarts that could still improve
  std::vector<Iteration> log = {};
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.restart, self.passes, self.weights, self.best.pass, self.best.restart,
            self.best.value, self.best.weights, self.cut_short, self.log);
  }
};

class Search {
 public:
  Search(const TrainingProblem& problem, const CoordinateAscentOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        objective_(objective_measure(options.objective, problem)),
        line_(problem.train, objective_, problem.convention, context),
        deadline_(options.max_seconds) {}

  TrainingResult run();

 private:
  void start();
  Linear model() const { return {state_.weights, 0}; }
  void rescore() { line_.move_to(score(model(), problem_.train, context_.pool)); }
  std::vector<std::size_t> order_of_pass() const;
  void climb(std::size_t feature);
  struct Best {
    double value, delta;
  };
  Best search(std::span<const double> x, MeasureLine::Direction direction, double weight);
  void normalize();
  enum class Pass { improved, converged, interrupted };
  Pass pass();
  void keep_if_best();
  Termination search_all();

  const TrainingProblem& problem_;
  const CoordinateAscentOptions& options_;
  Context& context_;
  MeasurePtr objective_;
  MeasureLine line_;
  SearchState state_;
  Deadline deadline_;
};

// At the first weights of a restart.
void Search::start() {
  const std::size_t features = problem_.train.features();
  state_.weights.assign(features, 1.0 / static_cast<double>(features));
  if (state_.restart > 1) {
    Random random(context_.seed, static_cast<std::uint64_t>(state_.restart));
    for (double& w : state_.weights) w = 2 * random.uniform() - 1;
  }
  normalize();
  rescore();
}

// Random numbers continue from pass to pass of a restart.
std::vector<std::size_t> Search::order_of_pass() const {
  Random random(context_.seed, static_cast<std::uint64_t>(state_.restart));
  if (state_.restart > 1)
    for (std::size_t f = 0; f < state_.weights.size(); ++f) random.next();
  std::vector<std::size_t> order(state_.weights.size());
  for (std::int64_t pass = 0; pass <= state_.passes; ++pass) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
  }
  return order;
}

void Search::normalize() {
  double sum = 0;
  for (const double w : state_.weights) sum += std::abs(w);
  if (!(sum > 0)) return;
  for (double& w : state_.weights) w /= sum;
  line_.scale(1 / sum);
}

// The best of the steps in one direction; {value at the base, 0} if none is better, or if the
// deadline is reached.
Search::Best Search::search(std::span<const double> x, MeasureLine::Direction direction,
                            double weight) {
  const double sign = direction == MeasureLine::Direction::up ? 1 : -1;
  double step = kFirstStep;
  if (weight != 0 && step > 0.5 * std::abs(weight)) step = kRelativeStep * std::abs(weight);
  Best best{line_.value(), 0};
  line_.begin(x, direction);
  double total = 0;
  for (std::int64_t j = 0; j < options_.steps; ++j, step *= kStepGrowth) {
    if (deadline_.reached(context_)) return {line_.value(), 0};
    total += step;
    const double value = line_.trial(sign * total);
    if (value > best.value) best = {value, sign * total};
    if (line_.finished()) break;
  }
  return best;
}

void Search::climb(std::size_t feature) {
  using Direction = MeasureLine::Direction;
  const std::vector<double> x = feature_column(problem_.train, feature, context_.pool);
  double& weight = state_.weights[feature];
  Best best = search(x, Direction::up, weight);
  if (best.delta == 0) best = search(x, Direction::down, weight);
  if (best.delta == 0 && weight != 0) {
    line_.begin(x, weight < 0 ? Direction::up : Direction::down);
    if (const double value = line_.trial(-weight); value > best.value) best = {value, -weight};
  }
  if (best.delta == 0) return;
  weight += best.delta;
  line_.accept(best.delta);
  normalize();
}

Search::Pass Search::pass() {
  const double before = line_.value();
  Pass outcome = Pass::improved;
  for (const std::size_t feature : order_of_pass()) {
    if (deadline_.reached(context_)) {
      outcome = Pass::interrupted;
      break;
    }
    climb(feature);
  }
  rescore();
  ++state_.passes;
  if (outcome == Pass::interrupted) return outcome;
  return line_.value() - before < options_.tolerance ? Pass::converged : Pass::improved;
}

void Search::keep_if_best() {
  Iteration step{static_cast<std::int64_t>(state_.log.size() + 1),
                 0,
                 {{"restart", static_cast<double>(state_.restart)},
                  {"train " + objective_->name(), line_.value()}}};
  double value = line_.value();
  if (problem_.valid) {
    value = evaluate(problem_.measure, problem_.convention, *problem_.valid,
                     score(model(), *problem_.valid, context_.pool), context_);
    step.values.emplace_back("valid " + problem_.measure->name(), value);
  }
  if (state_.best.pass == 0 || value > state_.best.value)
    state_.best = {step.number, state_.restart, value, state_.weights};
  context_.observer.iteration(step);
  state_.log.push_back(std::move(step));
}

Termination Search::search_all() {
  while (state_.restart <= options_.restarts) {
    if (state_.passes == 0)
      start();
    else
      rescore();
    for (Pass outcome = Pass::improved; outcome == Pass::improved;) {
      const SearchState before = state_;
      outcome = pass();
      keep_if_best();
      if (outcome == Pass::interrupted) {
        keep(context_, before, deadline_);
        return deadline_.reached(context_).value_or(Termination::stopped);
      }
      if (outcome == Pass::improved && state_.passes == options_.max_passes) {
        ++state_.cut_short;
        outcome = Pass::converged;
      }
      if (outcome == Pass::converged) {
        ++state_.restart;
        state_.passes = 0;
      }
      keep_if_due(context_, state_, deadline_);
    }
  }
  return state_.cut_short > 0 ? Termination::iteration_limit : Termination::converged;
}

TrainingResult Search::run() {
  resume(context_, state_, deadline_);
  TrainingResult result;
  try {
    result.termination = search_all();
  } catch (const Stopped&) {
    if (state_.best.pass == 0) throw;
    result.termination = Termination::stopped;
  }
  result.skipped_queries = count_over_ranks(line_.skipped(), context_.comm);
  result.model = Linear{std::move(state_.best.weights), 0};
  result.best_iteration = state_.best.pass;
  result.chosen = {{"restart", static_cast<double>(state_.best.restart)}};
  result.log = std::move(state_.log);
  return result;
}

class CoordinateAscent final : public Learner {
 public:
  explicit CoordinateAscent(CoordinateAscentOptions options) : options_(std::move(options)) {}
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    if (problem.train.features() == 0)
      throw Error(ErrorCode::data, "the training data has no features");
    return Search(problem, options_, context).run();
  }
  // For the columns.
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_for({.per_dense_value = 4, .per_sparse_value = 8}, train);
  }

 private:
  CoordinateAscentOptions options_;
};

}  // namespace

const Entry<Learner> kCoordinateAscent = {
    "coordinate-ascent", "heuristic search for any measure, one weight at a time", "Metzler07",
    []() -> const std::vector<Field>& { return coordinate_ascent_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<CoordinateAscent>(coordinate_ascent_table().read(settings));
    }};

}  // namespace podium
