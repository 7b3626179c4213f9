#include "learners/threshold_boosting/threshold_rankers_boosting.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "learners/early_stopping.h"
#include "learners/threshold_boosting/threshold_rankers.h"

namespace podium {
namespace {

constexpr double kUnit = 0x1.0p60;  // of potentials in fixed point; their absolute sum is ≤ 2
constexpr double kLeastCorrelation = 1e-9;
constexpr double kLargestStep = 20;
constexpr int kMostHalvings = 30;

struct WeightedRanker {
  ThresholdRanker ranker;
  double weight;
  double gain;  // what it lowered the objective by
};

class Booster {
 public:
  Booster(const TrainingProblem& problem, const GradedPairs& pairs, PairRisk& risk,
          const ThresholdBoostingOptions& options, Context& context)
      : problem_(problem),
        pairs_(pairs),
        risk_(risk),
        options_(options),
        context_(context),
        rankers_(problem.train, options.thresholds, context),
        scores_(problem.train.documents()),
        potentials_(problem.train.documents()),
        valid_scores_(problem.valid ? problem.valid->documents() : 0),
        at_(risk.evaluate(scores_, potentials_)) {}

  TrainingResult run();

 private:
  enum class Round { added, converged };
  Round add_round();
  double step_for(const ThresholdRanker& ranker, std::span<const std::uint8_t> h);
  std::optional<Termination> interrupted() const;
  Forest forest(std::size_t rounds) const;

  const TrainingProblem& problem_;
  const GradedPairs& pairs_;
  PairRisk& risk_;
  const ThresholdBoostingOptions& options_;
  Context& context_;
  ThresholdRankers rankers_;
  std::vector<double> scores_, potentials_, valid_scores_;
  PairRisk::State at_;
  std::vector<WeightedRanker> added_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

double Booster::step_for(const ThresholdRanker& ranker, std::span<const std::uint8_t> h) {
  const double smoothing = at_.weight / (2 * pairs_.count());
  const auto [right, wrong] = risk_.split(scores_, h);
  const double step = std::clamp(0.5 * std::log((right + smoothing) / (wrong + smoothing)),
                                 -kLargestStep, kLargestStep);  // no pair wrong: infinite
  // Rounding apart, the step goes where the correlation points.
  return (step > 0) == (ranker.correlation > 0) ? options_.learning_rate * step : 0.0;
}

Booster::Round Booster::add_round() {
  if (!(at_.weight > 0)) return Round::converged;
  std::vector<std::int64_t> fixed(potentials_.size());
  for (std::size_t i = 0; i < fixed.size(); ++i)
    fixed[i] = std::llround(potentials_[i] / at_.weight * kUnit);
  const auto ranker = rankers_.choose(fixed, context_);
  if (!ranker || std::abs(static_cast<double>(ranker->correlation)) < kLeastCorrelation * kUnit)
    return Round::converged;

  const auto h = rankers_.indicator(*ranker);
  double step = step_for(*ranker, h);
  std::vector<double> trial(scores_.size());
  for (int halvings = 0; step != 0 && halvings <= kMostHalvings; ++halvings, step /= 2) {
    for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = scores_[i] + (h[i] ? step : 0.0);
    const PairRisk::State next = risk_.evaluate(trial, potentials_);
    if (!(next.objective < at_.objective)) continue;
    added_.push_back({*ranker, step, at_.objective - next.objective});
    scores_.swap(trial);
    at_ = next;
    return Round::added;
  }
  return Round::converged;
}

std::optional<Termination> Booster::interrupted() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  std::array<std::int64_t, 2> wanted = {context_.stop.stop_requested(),
                                        options_.max_seconds > 0 && seconds > options_.max_seconds};
  context_.comm.all_reduce_sum(wanted);
  if (wanted[0]) return Termination::stopped;
  if (wanted[1]) return Termination::time_limit;
  return {};
}

// One stump for each threshold that was used, in the order of features and thresholds.
Forest Booster::forest(std::size_t rounds) const {
  std::map<std::tuple<std::uint32_t, float, Tree::Node::Missing>, WeightedRanker> merged;
  for (std::size_t t = 0; t < rounds; ++t) {
    const auto& [ranker, weight, gain] = added_[t];
    const auto [at, is_new] =
        merged.try_emplace({ranker.feature, ranker.threshold, ranker.missing}, added_[t]);
    if (is_new) continue;
    at->second.weight += weight;
    at->second.gain += gain;
  }
  Forest forest;
  forest.features = problem_.train.features();
  std::vector<std::int64_t> counts;
  for (const auto& [key, item] : merged) {
    const auto h = rankers_.indicator(item.ranker);
    const std::int64_t right = std::count(h.begin(), h.end(), 1);
    counts.insert(counts.end(), {static_cast<std::int64_t>(h.size()) - right, right});
    Tree tree;
    tree.nodes.push_back({.feature = item.ranker.feature,
                          .threshold = item.ranker.threshold,
                          .missing = item.ranker.missing,
                          .left = ~0,
                          .right = ~1,
                          .gain = item.gain});
    tree.values = {0, item.weight};
    forest.trees.push_back(std::move(tree));
  }
  context_.comm.all_reduce_sum(std::span(counts));
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const auto left = static_cast<std::uint64_t>(counts[2 * t]);
    const auto right = static_cast<std::uint64_t>(counts[2 * t + 1]);
    forest.trees[t].leaf_documents = {left, right};
    forest.trees[t].nodes[0].documents = left + right;
  }
  return forest;
}

TrainingResult Booster::run() {
  EarlyStopping best(options_.early_stopping);
  TrainingResult result;
  result.why = Termination::iteration_limit;
  result.skipped_queries = pairs_.skipped();
  for (std::int64_t round = 1; round <= options_.rounds; ++round) {
    if (const auto why = interrupted()) {
      result.why = *why;
      break;
    }
    if (add_round() == Round::converged) {
      result.why = Termination::converged;
      break;
    }
    Iteration step{round, options_.rounds, {{"objective", at_.objective}}};
    if (problem_.logged == TrainingProblem::Logged::training_too)
      step.values.emplace_back(
          "train " + problem_.measure->name(),
          evaluate(problem_.measure, problem_.convention, problem_.train, scores_, context_));
    if (problem_.valid) {
      const auto h = indicator(added_.back().ranker, *problem_.valid, context_.pool);
      for (std::size_t i = 0; i < h.size(); ++i)
        if (h[i]) valid_scores_[i] += added_.back().weight;
      const double value =
          evaluate(problem_.measure, problem_.convention, *problem_.valid, valid_scores_, context_);
      step.values.emplace_back("valid " + problem_.measure->name(), value);
      best.improves(round, value);
    }
    context_.observer.iteration(step);
    result.log.push_back(std::move(step));
    if (best.should_stop()) {
      result.why = Termination::early_stopping;
      break;
    }
  }
  if (added_.empty() && result.why == Termination::converged)
    context_.observer.note("no feature tells good from bad documents: the model is a constant");
  const std::size_t rounds =
      best.best_round() > 0 ? static_cast<std::size_t>(best.best_round()) : added_.size();
  result.best_iteration = static_cast<std::int64_t>(rounds);
  result.model = forest(rounds);
  return result;
}

}  // namespace

TrainingResult boost_threshold_rankers(const TrainingProblem& problem, const GradedPairs& pairs,
                                       PairRisk& risk, const ThresholdBoostingOptions& options,
                                       Context& context) {
  return Booster(problem, pairs, risk, options, context).run();
}

}  // namespace podium
