#include "learners/direct_search/starts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/random.h"
#include "core/spec.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::int64_t kFewPairs = 10'000'000;
constexpr double kKickSize = 0.03;              // of the weights' root mean square
constexpr std::uint64_t kKicks = 0x6b69636b73;  // a separate random stream

// Over all ranks.
std::int64_t count_pairs(const Dataset& data, Context& context) {
  std::int64_t pairs = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto documents = static_cast<std::int64_t>(data.end(q) - data.begin(q));
    pairs += documents * (documents - 1) / 2;
  }
  context.comm.all_reduce_sum(std::span(&pairs, 1));
  return pairs;
}

// Convex losses, then λ-gradients of nDCG and smooth nDCG, with the measure's cut-off. The last
// ends nearest to the optimum, but its time grows with the number of pairs.
std::string default_learners(const TrainingProblem& problem, Context& context) {
  const std::size_t depth = problem.measure->depth();
  const std::size_t k = depth == Measure::kWholeList ? 0 : depth;
  const std::string fast = fmt::format(
      "linear,ranksvm(C=100),svm-map(C=100),listnet,"
      "lambdarank(k={},norm=lightgbm,truncation=30,learning-rate=0.003)",
      k);
  const bool few = count_pairs(problem.train, context) <= kFewPairs;
  return few ? fmt::format("{},softrank(k={})", fast, k) : fast;
}

void scale_to_one(std::vector<double>& weights) {
  double size = 0;
  for (const double w : weights) size = std::max(size, std::abs(w));
  if (!(size > 0) || !std::isfinite(size)) return;
  for (double& w : weights) w /= size;
}

const Linear& linear_of(const Model& model, const std::string& source, std::size_t features) {
  const Error other(ErrorCode::usage,
                    fmt::format("{} is not a linear model of these features", source));
  const Linear& linear = require_linear(model, other);
  if (linear.weights.size() != features) throw other;
  return linear;
}

// The model that a learner finds on the training data alone.
Model solve(const std::string& text, const TrainingProblem& problem, Context& context) {
  const Spec spec = parse_spec(text, "learner");
  const auto learner = learners().make(spec.name, spec.given);
  const TrainingProblem mine{problem.train, nullptr, problem.measure, problem.convention};
  Observer silent;
  Context quiet{context.seed, context.pool, context.comm,  silent,
                context.stop, nullptr,      context.device};
  return learner->train(mine, quiet).model;
}

}  // namespace

StartFinder::StartFinder(const TrainingProblem& problem, StartOptions options,
                         const FeatureColumns& columns, Context& context)
    : problem_(problem), options_(std::move(options)), columns_(columns), seed_(context.seed) {
  if (problem.start.model) sources_.emplace_back();
  const std::string learners =
      options_.learners == "auto" ? default_learners(problem, context) : options_.learners;
  for (const std::string_view item : split_outside_parentheses(learners, ','))
    if (!trim(item).empty()) sources_.emplace_back(trim(item));
}

void StartFinder::find_next(Starts& starts, Context& context) const {
  const std::string& text = sources_[starts.tried++];
  if (text.empty()) {
    const Linear& model =
        linear_of(*problem_.start.model, "the model to start from", columns_.features());
    starts.found.push_back(columns_.weights(model));
  } else {
    context.observer.phase("starting from " + text);
    try {
      const Model model = solve(text, problem_, context);
      starts.found.push_back(columns_.weights(
          linear_of(model, "‹starts›: what " + text + " finds", columns_.features())));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::training) throw;
      context.observer.note(fmt::format("no start from {}: {}", text, error.what()));
      return;
    }
  }
  scale_to_one(starts.found.back());
}

std::vector<std::vector<double>> StartFinder::with_random(Starts starts) const {
  for (std::int64_t r = 0; r < options_.restarts; ++r) {
    Random random(seed_, static_cast<std::uint64_t>(r));
    std::vector<double>& weights = starts.found.emplace_back(columns_.features());
    for (const std::uint32_t f : columns_.moving()) weights[f] = 2 * random.uniform() - 1;
    scale_to_one(weights);
  }
  return std::move(starts.found);
}

std::vector<double> kick(std::span<const double> weights, const FeatureColumns& columns,
                         std::uint64_t seed, std::int64_t number) {
  std::vector<double> kicked(weights.begin(), weights.end());
  double squares = 0;
  for (const double w : weights) squares += w * w;
  const double size = kKickSize * std::sqrt(squares / static_cast<double>(columns.moving().size()));
  Random random(seed ^ kKicks, static_cast<std::uint64_t>(number));
  for (const std::uint32_t f : columns.moving()) kicked[f] += size * (2 * random.uniform() - 1);
  return kicked;
}

}  // namespace podium
