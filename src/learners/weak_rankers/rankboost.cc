#include "learners/weak_rankers/rankboost.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "learners/catalog.h"
#include "learners/preference_learner.h"

namespace podium {
namespace {

constexpr std::size_t kRankBoostQueryChunk = 16;

// ln Σ e^x of the numbers added so far.
class LogSum {
 public:
  void add(double x) {
    if (x <= largest_) {
      sum_ += math::exp(x - largest_);
    } else {
      sum_ = sum_ * math::exp(largest_ - x) + 1;
      largest_ = x;
    }
  }
  double value() const { return largest_ + math::log(sum_); }

 private:
  double largest_ = -HUGE_VAL;
  double sum_ = 0;
};

// ln(weight) of a preference.
double log_of(const GradedPairs::Query& query, const GradedPairs::Given& pair,
              std::span<const double> scores) {
  return scores[query.begin + pair.worse] - scores[query.begin + pair.better] +
         math::log(pair.weight);
}

// The largest ln(weight) of a pair.
double largest_pair(const GradedPairs::Query& query, std::span<const double> scores) {
  double worse = -HUGE_VAL, largest = -HUGE_VAL;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : query.ends) {
    double highest = worse;
    for (std::uint32_t k = begin; k < end; ++k) {
      const double s = scores[query.begin + query.by_grade[k]];
      largest = std::max(largest, worse - s);
      highest = std::max(highest, s);
    }
    worse = highest;
    begin = end;
  }
  largest += math::log(query.weight);
  for (const GradedPairs::Given& pair : query.given)
    largest = std::max(largest, log_of(query, pair, scores));
  return largest;
}

// The part of the potentials from better documents; returns their sum, the weight of all pairs.
double pull_up(const GradedPairs::Query& query, std::span<const double> scores, double log_weight,
               std::span<double> potentials) {
  LogSum worse;
  double total = 0;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : query.ends) {
    const double base = worse.value() + log_weight;
    for (std::uint32_t k = begin; begin > 0 && k < end; ++k) {
      const std::uint32_t i = query.by_grade[k];
      const double weight = math::exp(base - scores[i]);
      potentials[i] += weight;
      total += weight;
    }
    for (std::uint32_t k = begin; k < end; ++k) worse.add(scores[query.by_grade[k]]);
    begin = end;
  }
  return total;
}

// The part from worse documents.
void push_down(const GradedPairs::Query& query, std::span<const double> scores, double log_weight,
               std::span<double> potentials) {
  LogSum better;
  for (std::size_t run = query.ends.size(); run-- > 0;) {
    const std::uint32_t begin = run ? query.ends[run - 1] : 0, end = query.ends[run];
    const double base = better.value() + log_weight;
    for (std::uint32_t k = begin; end < query.by_grade.size() && k < end; ++k) {
      const std::uint32_t i = query.by_grade[k];
      potentials[i] -= math::exp(base + scores[i]);
    }
    for (std::uint32_t k = begin; k < end; ++k) better.add(-scores[query.by_grade[k]]);
  }
}

// The potentials of preferences; returns their weight.
double pull_given(const GradedPairs::Query& query, std::span<const double> scores, double reference,
                  std::span<double> potentials) {
  double total = 0;
  for (const GradedPairs::Given& pair : query.given) {
    const double weight = math::exp(log_of(query, pair, scores) - reference);
    potentials[query.begin + pair.better] += weight;
    potentials[query.begin + pair.worse] -= weight;
    total += weight;
  }
  return total;
}

using RankBoostOptions = ThresholdBoostingOptions;

const OptionTable<RankBoostOptions>& rankboost_table() {
  static const auto options = threshold_boosting_table<RankBoostOptions>();
  return options;
}

class RankBoost final : public PreferenceLearner {
 public:
  explicit RankBoost(RankBoostOptions options) : options_(std::move(options)) {}

  std::unique_ptr<const Learner> with_preferences(
      TrainingSpec::Preferences preferences) const override {
    RankBoostOptions options = options_;
    options.preferences = preferences;
    return std::make_unique<RankBoost>(std::move(options));
  }
  std::string preference_loss() const override {
    return preference_loss_text("exponential-pairs", options_);
  }

  bool takes_missing_values() const override { return true; }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const GradedPairs pairs(problem.train, options_, context);
    ExponentialPairs risk(pairs, context);
    return boost_threshold_rankers(problem, pairs, risk, options_, context);
  }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_of_threshold_rankers(train);
  }

 private:
  RankBoostOptions options_;
};

}  // namespace

PairRisk::State ExponentialPairs::evaluate(std::span<const double> scores,
                                           std::span<double> potentials) {
  parallel_each(context_.pool, potentials.size(), [&](std::size_t i) { potentials[i] = 0; });
  const auto queries = pairs_.queries();
  reference_ = parallel_reduce(
      context_.pool, queries.size(), kRankBoostQueryChunk, -HUGE_VAL,
      [&](std::size_t begin, std::size_t end) {
        double largest = -HUGE_VAL;
        for (std::size_t q = begin; q < end; ++q)
          largest = std::max(largest, largest_pair(queries[q], scores));
        return largest;
      },
      [](double& largest, double part) { largest = std::max(largest, part); });
  reference_ = max_over_ranks(reference_, context_.comm);
  std::vector<double> weights(queries.size());
  parallel_for(context_.pool, queries.size(), kRankBoostQueryChunk,
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t q = begin; q < end; ++q) {
                   const std::size_t count = queries[q].by_grade.size();
                   const auto mine = scores.subspan(queries[q].begin, count);
                   const auto out = potentials.subspan(queries[q].begin, count);
                   const double log_weight = math::log(queries[q].weight) - reference_;
                   weights[q] = pull_up(queries[q], mine, log_weight, out);
                   push_down(queries[q], mine, log_weight, out);
                   weights[q] += pull_given(queries[q], scores, reference_, potentials);
                 }
               });
  const double weight = sum_over_ranks(weights, context_.comm);
  return {reference_ + math::log(weight), weight};
}

PairRisk::Split ExponentialPairs::split(std::span<const double> scores,
                                        std::span<const std::uint8_t> h) {
  const auto queries = pairs_.queries();
  std::vector<double> right(queries.size()), wrong(queries.size());
  parallel_for(
      context_.pool, queries.size(), kRankBoostQueryChunk,
      [&](std::size_t first, std::size_t last) {
        for (std::size_t q = first; q < last; ++q) {
          const GradedPairs::Query& query = queries[q];
          const double log_weight = math::log(query.weight) - reference_;
          LogSum worse[2];  // by h
          std::uint32_t begin = 0;
          for (const std::uint32_t end : query.ends) {
            const double base[2] = {worse[0].value() + log_weight, worse[1].value() + log_weight};
            for (std::uint32_t k = begin; k < end; ++k) {
              const std::size_t i = query.begin + query.by_grade[k];
              const double weight = math::exp(base[!h[i]] - scores[i]);
              (h[i] ? right : wrong)[q] += weight;
            }
            for (std::uint32_t k = begin; k < end; ++k) {
              const std::size_t i = query.begin + query.by_grade[k];
              worse[h[i]].add(scores[i]);
            }
            begin = end;
          }
          for (const GradedPairs::Given& pair : query.given) {
            const std::uint8_t better = h[query.begin + pair.better];
            if (better == h[query.begin + pair.worse]) continue;
            (better ? right : wrong)[q] += math::exp(log_of(query, pair, scores) - reference_);
          }
        }
      });
  return {sum_over_ranks(right, context_.comm), sum_over_ranks(wrong, context_.comm)};
}

const Entry<Learner> kRankBoost = {
    "rankboost", "boosting of threshold rankers for the exponential loss over pairs", "Freund03",
    []() -> const std::vector<Field>& { return rankboost_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<RankBoost>(rankboost_table().read(settings));
    }};

}  // namespace podium
