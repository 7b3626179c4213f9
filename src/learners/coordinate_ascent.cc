// Coordinate ascent [Metzler07]: a linear model for any measure, one weight at a time. For each
// weight, in random order, steps that double are tried upwards, then downwards, then the weight 0;
// the best of the first direction that raises the measure is taken, and the weights are scaled to
// Σ|w| = 1. Passes over all weights go on while one gains `tolerance`; then the next restart
// begins. The first restart begins with equal weights, the others with random ones. The model after
// the pass with the best measure on the validation data (or training data) is returned.
//
// The search is RankLib's: a heuristic, for comparison. Differs from RankLib: restarts do not all
// begin at the same weights, and every pass is a candidate, not the last of a restart only.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "learners/catalog.h"
#include "learners/coordinate_ascent_line.h"
#include "models/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kFirstStep = 0.001;
constexpr double kRelativeStep = 0.05;  // of a weight that the first step would change by half
constexpr double kStepGrowth = 2;

struct CoordinateAscentOptions {
  std::string objective = "auto";
  std::int64_t restarts = 5;
  std::int64_t steps = 25;
  std::int64_t max_passes = 100;
  double tolerance = 0.001;
  double max_seconds = 0;
};

const OptionTable<CoordinateAscentOptions>& table() {
  using Options = CoordinateAscentOptions;
  static const auto options =
      OptionTable<Options>()
          .add("objective", &Options::objective,
               "the measure to optimise, e.g. AP or nDCG@5; auto: the one of --measure")
          .add("restarts", &Options::restarts, "how often to begin", at_least(1))
          .add("steps", &Options::steps, "steps tried in each direction, each twice the last",
               between(1, 60))
          .add("max-passes", &Options::max_passes, "most passes over all weights in a restart",
               at_least(1))
          .add("tolerance", &Options::tolerance,
               "the next restart begins when a pass gains less than this", at_least(0))
          .add("max-seconds", &Options::max_seconds, "stop after this time; 0: never", at_least(0))
          .search("tolerance", by_factors(1e-5, 1e-2))
          .search("steps", evenly(10, 30));
  return options;
}

class Search {
 public:
  Search(const TrainingProblem& problem, const CoordinateAscentOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        objective_(options.objective == "auto"
                       ? problem.measure
                       : parse_measure(options.objective, problem.convention)),
        line_(problem.train, objective_, problem.convention, context) {}

  TrainingResult run();

 private:
  void start(std::int64_t restart, Random& random);
  void rescore() { line_.move_to(score(model_, problem_.train, context_.pool)); }
  void climb(std::size_t feature);
  struct Best {
    double value, delta;
  };
  Best search(std::span<const double> x, MeasureLine::Direction direction, double weight);
  void normalize();
  enum class Pass { improved, converged, interrupted };
  Pass pass(Random& random);
  void keep_if_best(std::int64_t restart);
  std::optional<Termination> interrupted() const;

  const TrainingProblem& problem_;
  const CoordinateAscentOptions& options_;
  Context& context_;
  MeasurePtr objective_;
  MeasureLine line_;
  Linear model_;
  TrainingResult result_;
  double best_ = -HUGE_VAL;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

void Search::start(std::int64_t restart, Random& random) {
  const std::size_t features = problem_.train.features();
  model_ = {std::vector<double>(features, 1.0 / static_cast<double>(features)), 0};
  if (restart > 1)
    for (double& w : model_.weights) w = 2 * random.uniform() - 1;
  normalize();
  rescore();
}

void Search::normalize() {
  double sum = 0;
  for (const double w : model_.weights) sum += std::abs(w);
  if (!(sum > 0)) return;
  for (double& w : model_.weights) w /= sum;
  line_.scale(1 / sum);
}

// The best of the steps in one direction; {value at the base, 0} when none is better.
Search::Best Search::search(std::span<const double> x, MeasureLine::Direction direction,
                            double weight) {
  const double sign = direction == MeasureLine::Direction::up ? 1 : -1;
  double step = kFirstStep;
  if (weight != 0 && step > 0.5 * std::abs(weight)) step = kRelativeStep * std::abs(weight);
  Best best{line_.value(), 0};
  line_.begin(x, direction);
  double total = 0;
  for (std::int64_t j = 0; j < options_.steps; ++j, step *= kStepGrowth) {
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
  double& weight = model_.weights[feature];
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

Search::Pass Search::pass(Random& random) {
  const double before = line_.value();
  std::vector<std::size_t> order(model_.weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  for (const std::size_t feature : order) {
    if (interrupted()) return Pass::interrupted;
    climb(feature);
  }
  rescore();
  return line_.value() - before < options_.tolerance ? Pass::converged : Pass::improved;
}

void Search::keep_if_best(std::int64_t restart) {
  Iteration step{
      static_cast<std::int64_t>(result_.log.size() + 1),
      0,
      {{"restart", static_cast<double>(restart)}, {"train " + objective_->name(), line_.value()}}};
  double value = line_.value();
  if (problem_.valid) {
    value = evaluate(problem_.measure, problem_.convention, *problem_.valid,
                     score(model_, *problem_.valid, context_.pool), context_);
    step.values.emplace_back("valid " + problem_.measure->name(), value);
  }
  if (result_.log.empty() || value > best_) {
    best_ = value;
    result_.model = model_;
    result_.best_iteration = step.number;
    result_.chosen = {{"restart", static_cast<double>(restart)}};
  }
  context_.observer.iteration(step);
  result_.log.push_back(std::move(step));
}

std::optional<Termination> Search::interrupted() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  std::array<std::int64_t, 2> wanted = {context_.stop.stop_requested(),
                                        options_.max_seconds > 0 && seconds > options_.max_seconds};
  context_.comm.all_reduce_sum(wanted);
  if (wanted[0]) return Termination::stopped;
  if (wanted[1]) return Termination::time_limit;
  return {};
}

TrainingResult Search::run() {
  result_.skipped_queries = line_.skipped();
  for (std::int64_t restart = 1; restart <= options_.restarts; ++restart) {
    Random random(context_.seed, static_cast<std::uint64_t>(restart));
    start(restart, random);
    for (std::int64_t passes = 1;; ++passes) {
      const Pass outcome = pass(random);
      keep_if_best(restart);
      if (outcome == Pass::interrupted) {
        result_.why = interrupted().value_or(Termination::stopped);
        return std::move(result_);
      }
      if (outcome == Pass::converged) break;
      if (passes == options_.max_passes) {
        result_.why = Termination::iteration_limit;
        break;
      }
    }
  }
  return std::move(result_);
}

class CoordinateAscent final : public Learner {
 public:
  explicit CoordinateAscent(CoordinateAscentOptions options) : options_(std::move(options)) {}
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    if (problem.train.features() == 0)
      throw Error(ErrorCode::data, "the training data has no features");
    return Search(problem, options_, context).run();
  }

 private:
  CoordinateAscentOptions options_;
};

}  // namespace

const Entry<Learner> kCoordinateAscent = {
    "coordinate-ascent", "heuristic search for any measure, one weight at a time", "Metzler07",
    []() -> const std::vector<Field>& { return table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<CoordinateAscent>(table().read(settings));
    }};

}  // namespace podium
