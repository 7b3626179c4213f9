#include "learners/weak_rankers/threshold_rankers_boosting.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/early_stopping.h"
#include "learners/memory_estimate.h"
#include "learners/weak_rankers/threshold_rankers.h"
#include "learners/weak_rankers/weak_ranker_rounds.h"

namespace podium {
namespace {

constexpr double kPotentialUnit =
    0x1.0p60;  // of potentials in fixed point; their absolute sum is ≤ 2
constexpr double kLeastCorrelation = 1e-9;
constexpr double kLargestStep = 20;
constexpr int kMostHalvings = 30;

struct WeightedRanker {
  ThresholdRanker ranker;
  double weight;
  double gain;  // decrease of the objective
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    auto& ranker = self.ranker;
    archive(ranker.feature, ranker.threshold, ranker.missing, ranker.correlation, self.weight,
            self.gain);
  }
};

// The state after a round; scores follow from the rankers.
struct WeakRankersState {
  EarlyStopping best;
  std::vector<WeightedRanker> added = {};
  std::vector<Iteration> log = {};
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.best, self.added, self.log);
  }
};

class WeakRankersBooster {
 public:
  WeakRankersBooster(const TrainingProblem& problem, const GradedPairs& pairs, PairRisk& risk,
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
        state_{EarlyStopping(options.early_stopping)},
        deadline_(options.max_seconds) {}

  TrainingResult run();

 private:
  void start();
  WeakRankerRound add_ranker();
  double step_for(const ThresholdRanker& ranker, std::span<const std::uint8_t> h);
  void add_to_validation(const WeightedRanker& added);
  WeakRankerRound add_round();
  Forest forest(std::size_t rounds) const;

  const TrainingProblem& problem_;
  const GradedPairs& pairs_;
  PairRisk& risk_;
  const ThresholdBoostingOptions& options_;
  Context& context_;
  ThresholdRankers rankers_;
  std::vector<double> scores_, potentials_, valid_scores_;
  WeakRankersState state_;
  PairRisk::State at_ = {};
  Deadline deadline_;
};

// Adds the rankers of an earlier run, in order.
void WeakRankersBooster::start() {
  resume(context_, state_, deadline_);
  for (const WeightedRanker& added : state_.added) {
    const auto h = rankers_.indicator(added.ranker);
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += h[i] ? added.weight : 0.0;
    if (problem_.valid) add_to_validation(added);
  }
  at_ = risk_.evaluate(scores_, potentials_);
}

double WeakRankersBooster::step_for(const ThresholdRanker& ranker,
                                    std::span<const std::uint8_t> h) {
  const double smoothing = at_.weight / (2 * pairs_.count());
  const auto [right, wrong] = risk_.split(scores_, h);
  const double step = std::clamp(0.5 * math::log((right + smoothing) / (wrong + smoothing)),
                                 -kLargestStep, kLargestStep);  // no pair is wrong: infinite
  // Except for rounding, the step has the sign of the correlation.
  return (step > 0) == (ranker.correlation > 0) ? options_.learning_rate * step : 0.0;
}

WeakRankerRound WeakRankersBooster::add_ranker() {
  if (!(at_.weight > 0)) return WeakRankerRound::converged;
  std::vector<std::int64_t> fixed(potentials_.size());
  for (std::size_t i = 0; i < fixed.size(); ++i)
    fixed[i] = std::llround(potentials_[i] / at_.weight * kPotentialUnit);
  const auto ranker = rankers_.choose(fixed, context_);
  if (!ranker ||
      std::abs(static_cast<double>(ranker->correlation)) < kLeastCorrelation * kPotentialUnit)
    return WeakRankerRound::converged;

  const auto h = rankers_.indicator(*ranker);
  double step = step_for(*ranker, h);
  std::vector<double> trial(scores_.size());
  for (int halvings = 0; step != 0 && halvings <= kMostHalvings; ++halvings, step /= 2) {
    for (std::size_t i = 0; i < trial.size(); ++i) trial[i] = scores_[i] + (h[i] ? step : 0.0);
    const PairRisk::State next = risk_.evaluate(trial, potentials_);
    if (!(next.objective < at_.objective)) continue;
    state_.added.push_back({*ranker, step, at_.objective - next.objective});
    scores_.swap(trial);
    at_ = next;
    return WeakRankerRound::added;
  }
  return WeakRankerRound::converged;
}

// One stump per threshold in use, ordered by feature and threshold.
Forest WeakRankersBooster::forest(std::size_t rounds) const {
  std::map<std::tuple<std::uint32_t, float, Tree::Node::Missing>, WeightedRanker> merged;
  for (std::size_t t = 0; t < rounds; ++t) {
    const auto& [ranker, weight, gain] = state_.added[t];
    const auto [at, is_new] =
        merged.try_emplace({ranker.feature, ranker.threshold, ranker.missing}, state_.added[t]);
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

void WeakRankersBooster::add_to_validation(const WeightedRanker& added) {
  const auto h = indicator(added.ranker, *problem_.valid, context_.pool);
  for (std::size_t i = 0; i < h.size(); ++i)
    if (h[i]) valid_scores_[i] += added.weight;
}

WeakRankerRound WeakRankersBooster::add_round() {
  if (add_ranker() == WeakRankerRound::converged) return WeakRankerRound::converged;
  Iteration step{static_cast<std::int64_t>(state_.added.size()),
                 options_.rounds,
                 {{"objective", at_.objective}}};
  const auto measured = [&](const Dataset& data, std::span<const double> scores) {
    return evaluate(problem_.measure, problem_.convention, data, scores, context_);
  };
  if (problem_.logged == TrainingProblem::Logged::training_too)
    step.values.emplace_back("train " + problem_.measure->name(),
                             measured(problem_.train, scores_));
  if (problem_.valid) {
    add_to_validation(state_.added.back());
    const double value = measured(*problem_.valid, valid_scores_);
    step.values.emplace_back("valid " + problem_.measure->name(), value);
    state_.best.improves(step.number, value);
  }
  context_.observer.iteration(step);
  state_.log.push_back(std::move(step));
  return WeakRankerRound::added;
}

TrainingResult WeakRankersBooster::run() {
  start();
  TrainingResult result;
  result.termination =
      add_weak_rankers(state_, options_.rounds, deadline_, context_, [&] { return add_round(); });
  result.log = std::move(state_.log);
  result.skipped_queries = count_over_ranks(pairs_.skipped(), context_.comm);
  if (state_.added.empty() && result.termination == Termination::converged)
    result.if_constant = "no feature separates relevant from non-relevant documents";
  const std::int64_t best = state_.best.best_round();
  const std::size_t rounds = best > 0 ? static_cast<std::size_t>(best) : state_.added.size();
  result.best_iteration = static_cast<std::int64_t>(rounds);
  result.model = forest(rounds);
  return result;
}

}  // namespace

TrainingResult boost_threshold_rankers(const TrainingProblem& problem, const GradedPairs& pairs,
                                       PairRisk& risk, const ThresholdBoostingOptions& options,
                                       Context& context) {
  return WeakRankersBooster(problem, pairs, risk, options, context).run();
}

// For the codes.
MemoryNeed memory_of_threshold_rankers(const Dataset& train) {
  return memory_for({.per_dense_value = 2, .per_sparse_value = 6}, train);
}

}  // namespace podium
