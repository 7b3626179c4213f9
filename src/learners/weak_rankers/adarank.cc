// AdaRank [Xu07]: boosting over queries for any measure E. Weak rankers are the features, ascending
// or descending. With P(q) the queries' weights, every round
//
//   takes the weak ranker h with the largest Σ_q P(q) E_q(h),
//   adds it with weight α = ½ ln [ Σ_q P(q) (1 + E_q(h)) / Σ_q P(q) (1 − E_q(h)) ],
//   sets P(q) ∝ exp(−E_q(f)) for the ranking by the sum f so far.
//
// E_q of every weak ranker is computed once, so a round costs one product with that matrix and one
// evaluation of f.
//
// Differs from [Xu07]: as long as f ranks the same as its newest feature alone, P does not change
// and the same feature would be chosen forever. So a feature that did not change the measure on the
// training data by more than `tolerance` is set aside until another one does.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/early_stopping.h"
#include "learners/memory_estimate.h"
#include "learners/objective_measure.h"
#include "learners/weak_rankers/weak_ranker_rounds.h"
#include "models/linear/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kUnit = 0x1.0p60;   // of P · E in fixed point
constexpr double kSmoothing = 1e-9;  // of α, where a weak ranker is perfect
constexpr double kRounding = 1e-9;   // by which a measure may exceed 1
constexpr std::size_t kCandidateChunk = 8;

struct AdaRankOptions {
  std::string objective = kProblemsMeasure;
  std::int64_t rounds = 500;
  double tolerance = 0.002;
  enum class Signs { both, plus } signs = Signs::both;
  std::int64_t early_stopping = 100;
  double max_seconds = 0;
};

const OptionTable<AdaRankOptions>& adarank_table() {
  static const auto options =
      OptionTable<AdaRankOptions>()
          .add("objective", &AdaRankOptions::objective, kObjectiveHelp)
          .add("rounds", &AdaRankOptions::rounds, "maximum number of weak rankers", at_least(1))
          .add("tolerance", &AdaRankOptions::tolerance,
               "a feature that changes the training measure by no more than this is set aside "
               "temporarily",
               at_least(0))
          .add("signs", &AdaRankOptions::signs, "use features as they are, or also negated",
               {{"both", AdaRankOptions::Signs::both}, {"plus", AdaRankOptions::Signs::plus}})
          .add("early-stopping", &AdaRankOptions::early_stopping,
               "stop when the validation measure has not improved for this many rounds; 0: never",
               at_least(0))
          .add("max-seconds", &AdaRankOptions::max_seconds,
               "stop after this many seconds; 0: never", at_least(0))
          .search("tolerance", by_factors(1e-5, 1e-2))
          .search("signs", among({"both", "plus"}));
  return options;
}

// The state after a round; scores and query weights follow from it.
struct AdaRankState {
  EarlyStopping best;
  std::vector<std::uint8_t> aside;                         // one per feature
  std::vector<std::pair<std::size_t, double>> added = {};  // feature and weight, one per round
  double previous = -1;                                    // training measure
  std::vector<Iteration> log = {};
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.best, self.aside, self.added, self.previous, self.log);
  }
};

class AdaRankBooster {
 public:
  AdaRankBooster(const TrainingProblem& problem, const AdaRankOptions& options, Context& context)
      : problem_(problem),
        options_(options),
        context_(context),
        signs_(options.signs == AdaRankOptions::Signs::both ? 2 : 1),
        objective_({objective_measure(options.objective, problem)}, with_skips(problem.convention)),
        scores_(problem.train.documents()),
        state_{EarlyStopping(options.early_stopping),
               std::vector<std::uint8_t>(problem.train.features())},
        deadline_(options.max_seconds) {}

  TrainingResult run();

 private:
  // A query for which the measure is undefined is left out, whatever the convention says.
  static Convention with_skips(Convention convention) {
    convention.empty = EmptyQuery::skip;
    return convention;
  }
  std::string objective_name() const { return objective_.measures()[0]->name(); }

  enum class Ready { yes, stopped };
  Ready evaluate_features();
  void weigh_queries(std::span<const double> values);
  struct Choice {
    std::size_t candidate;
    double value;  // Σ P E
  };
  std::optional<Choice> choose() const;
  void add(std::size_t feature, double weight);
  Linear model(std::int64_t rounds) const;
  double validate();
  void start();
  WeakRankerRound add_round();

  const TrainingProblem& problem_;
  const AdaRankOptions& options_;
  Context& context_;
  std::size_t signs_;
  Evaluator objective_;
  std::vector<std::size_t> queries_;       // those with a value
  std::vector<std::vector<double>> weak_;  // [feature · signs + sign][of queries_]
  std::vector<double> weights_;            // P, of queries_
  std::vector<double> scores_;
  AdaRankState state_;
  Deadline deadline_;
};

AdaRankBooster::Ready AdaRankBooster::evaluate_features() {
  const Dataset& data = problem_.train;
  const auto first = objective_.evaluate(data, scores_, context_).per_query[0];
  for (std::size_t q = 0; q < first.size(); ++q)
    if (!std::isnan(first[q]) && data.query_weight(q) > 0) queries_.push_back(q);
  std::int64_t used = static_cast<std::int64_t>(queries_.size());
  context_.comm.all_reduce_sum(std::span(&used, 1));
  if (used == 0)
    throw Error(ErrorCode::training,
                fmt::format("no query contributes to {}: each lacks a relevant document (see "
                            "‹relevant-from›) or has weight 0",
                            objective_name()));
  for (std::size_t f = 0; f < data.features(); ++f) {
    if (deadline_.reached(context_)) return Ready::stopped;
    std::vector<double> column = feature_column(data, f, context_.pool);
    for (std::size_t sign = 0; sign < signs_; ++sign) {
      const auto values = objective_.evaluate(data, column, context_).per_query[0];
      auto& kept = weak_.emplace_back();
      for (const std::size_t q : queries_) {
        if (!(std::abs(values[q]) <= 1 + kRounding))
          throw Error(ErrorCode::usage,
                      fmt::format("‹objective {}›: adarank needs a measure between -1 and 1 for "
                                  "each query, such as AP or nDCG@10",
                                  objective_name()));
        kept.push_back(std::clamp(values[q], -1.0, 1.0));
      }
      for (double& x : column) x = -x;
    }
  }
  return Ready::yes;
}

// P ∝ query weight · exp(−E), summing to 1 over all ranks.
void AdaRankBooster::weigh_queries(std::span<const double> values) {
  weights_.resize(queries_.size());
  for (std::size_t k = 0; k < queries_.size(); ++k)
    weights_[k] = problem_.train.query_weight(queries_[k]) *
                  (values.empty() ? 1.0 : math::exp(-values[queries_[k]]));
  const double total = sum_over_ranks(weights_, context_.comm);
  for (double& w : weights_) w /= total;
}

std::optional<AdaRankBooster::Choice> AdaRankBooster::choose() const {
  std::vector<std::int64_t> sums(weak_.size());
  parallel_for(context_.pool, weak_.size(), kCandidateChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t c = begin; c < end; ++c)
                   for (std::size_t k = 0; k < weights_.size(); ++k)
                     sums[c] += static_cast<std::int64_t>(weights_[k] * weak_[c][k] * kUnit);
               });
  context_.comm.all_reduce_sum(std::span(sums));
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < sums.size(); ++c)
    if (!state_.aside[c / signs_] && (!best || sums[c] > sums[*best])) best = c;
  if (!best) return std::nullopt;
  return Choice{*best, static_cast<double>(sums[*best]) / kUnit};
}

void AdaRankBooster::add(std::size_t feature, double weight) {
  const auto column = feature_column(problem_.train, feature, context_.pool);
  for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += weight * column[i];
}

Linear AdaRankBooster::model(std::int64_t rounds) const {
  Linear model{std::vector<double>(problem_.train.features()), 0};
  for (std::size_t k = 0; k < static_cast<std::size_t>(rounds); ++k)
    model.weights[state_.added[k].first] += state_.added[k].second;
  return model;
}

double AdaRankBooster::validate() {
  const Linear now = model(static_cast<std::int64_t>(state_.added.size()));
  return evaluate(problem_.measure, problem_.convention, *problem_.valid,
                  score(now, *problem_.valid, context_.pool), context_);
}

// Starts where an earlier run stopped, or at the beginning.
void AdaRankBooster::start() {
  resume(context_, state_, deadline_);
  for (const auto& [feature, weight] : state_.added) add(feature, weight);
  if (state_.added.empty())
    weigh_queries({});
  else
    weigh_queries(objective_.evaluate(problem_.train, scores_, context_).per_query[0]);
}

WeakRankerRound AdaRankBooster::add_round() {
  const auto choice = choose();
  if (!choice) return WeakRankerRound::converged;
  const std::size_t feature = choice->candidate / signs_;
  const double sign = choice->candidate % signs_ ? -1 : 1;
  const double weight =
      sign * 0.5 * math::log((1 + choice->value + kSmoothing) / (1 - choice->value + kSmoothing));
  state_.added.emplace_back(feature, weight);
  add(feature, weight);
  const Evaluation evaluation = objective_.evaluate(problem_.train, scores_, context_);
  weigh_queries(evaluation.per_query[0]);
  const double value = evaluation.values[0];
  if (std::abs(value - state_.previous) > options_.tolerance)
    std::fill(state_.aside.begin(), state_.aside.end(), 0);
  else
    state_.aside[feature] = 1;
  state_.previous = value;

  Iteration step{static_cast<std::int64_t>(state_.added.size()),
                 options_.rounds,
                 {{"train " + objective_name(), value}}};
  double chosen_by = value;
  if (problem_.valid) {
    chosen_by = validate();
    step.values.emplace_back("valid " + problem_.measure->name(), chosen_by);
  }
  state_.best.improves(step.number, chosen_by);
  context_.observer.iteration(step);
  state_.log.push_back(std::move(step));
  return WeakRankerRound::added;
}

TrainingResult AdaRankBooster::run() {
  if (problem_.train.features() == 0)
    throw Error(ErrorCode::data, "the training data has no features");
  context_.observer.phase("evaluating features");
  const Ready ready = evaluate_features();
  TrainingResult result;
  result.skipped_queries =
      count_over_ranks(problem_.train.queries() - queries_.size(), context_.comm);
  start();
  context_.observer.phase("boosting");
  if (ready == Ready::yes)
    result.termination =
        add_weak_rankers(state_, options_.rounds, deadline_, context_, [&] { return add_round(); });
  else
    result.termination = deadline_.reached(context_).value_or(Termination::stopped);
  result.best_iteration = std::max<std::int64_t>(state_.best.best_round(), 0);
  result.model = model(result.best_iteration);
  result.log = std::move(state_.log);
  return result;
}

class AdaRank final : public Learner {
 public:
  explicit AdaRank(AdaRankOptions options) : options_(std::move(options)) {}
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    return AdaRankBooster(problem, options_, context).run();
  }
  // One value per query, feature and sign.
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_for({.per_input = 80, .per_input_and_query = 16}, train);
  }

 private:
  AdaRankOptions options_;
};

}  // namespace

const Entry<Learner> kAdaRank = {
    "adarank", "boosting of features for any measure, over re-weighted queries", "Xu07",
    []() -> const std::vector<Field>& { return adarank_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<AdaRank>(adarank_table().read(settings));
    }};

}  // namespace podium
