// Differs from [Tsai07]: the paper computes the loss after the best step for every weak ranker,
// which visits all pairs for each; here the ranker is the one along which the loss falls most
// steeply, found from the documents' potentials.
#include "learners/threshold_boosting/frank.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "distributed/over_ranks.h"
#include "learners/catalog.h"

namespace podium {
namespace {

constexpr std::size_t kQueryChunk = 4;
constexpr double kWidestProduct = 600;  // e to this is far from overflow

// e^{s_j − s_i} of a query's pairs, by place in by_grade.
class PairOdds {
 public:
  PairOdds(const GradedPairs::Query& query, std::span<const double> scores) {
    for (const std::uint32_t i : query.by_grade) scores_.push_back(scores[query.begin + i]);
    const auto [low, high] = std::minmax_element(scores_.begin(), scores_.end());
    wide_ = *high - *low > kWidestProduct;
    const double middle = *low + (*high - *low) / 2;
    for (const double s : scores_) {
      up_.push_back(math::exp(s - middle));
      down_.push_back(math::exp(middle - s));
    }
  }
  double operator()(std::size_t j, std::size_t i) const {
    return wide_ ? math::exp(scores_[j] - scores_[i]) : up_[j] * down_[i];
  }

 private:
  std::vector<double> scores_, up_, down_;
  bool wide_ = false;
};

struct Fidelity {
  explicit Fidelity(double odds) {
    const double p = 1 / (1 + odds);
    const double root = std::sqrt(p);
    const double miss = odds > 1 ? 1 - p : odds * p;  // 1 − p without cancellation
    loss = miss / (1 + root);
    weight = root * miss;
  }
  double loss, weight;
};

// visit(place of the better document, place of the worse one).
template <class Visit>
void for_each_pair(const GradedPairs::Query& query, Visit&& visit) {
  std::uint32_t begin = 0;
  for (const std::uint32_t end : query.ends) {
    for (std::uint32_t i = begin; i < end; ++i)
      for (std::uint32_t j = 0; j < begin; ++j) visit(i, j);
    begin = end;
  }
}

struct FRankOptions : ThresholdBoostingOptions {
  FRankOptions() { learning_rate = 0.5; }
};

const OptionTable<FRankOptions>& table() {
  static const auto options = threshold_boosting_table<FRankOptions>();
  return options;
}

class FRank final : public Learner {
 public:
  explicit FRank(FRankOptions options) : options_(std::move(options)) {}

  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const GradedPairs pairs(problem.train, options_, context);
    FidelityPairs risk(pairs, context);
    return boost_threshold_rankers(problem, pairs, risk, options_, context);
  }

 private:
  FRankOptions options_;
};

}  // namespace

PairRisk::State FidelityPairs::evaluate(std::span<const double> scores,
                                        std::span<double> potentials) {
  std::fill(potentials.begin(), potentials.end(), 0.0);
  const auto queries = pairs_.queries();
  std::vector<double> losses(queries.size()), weights(queries.size());
  parallel_for(context_.pool, queries.size(), kQueryChunk,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t q = first; q < last; ++q) {
                   const GradedPairs::Query& query = queries[q];
                   const PairOdds odds(query, scores);
                   std::vector<double> pull(query.by_grade.size());
                   for_each_pair(query, [&](std::uint32_t i, std::uint32_t j) {
                     const Fidelity pair(odds(j, i));
                     losses[q] += pair.loss;
                     weights[q] += pair.weight;
                     pull[i] += pair.weight;
                     pull[j] -= pair.weight;
                   });
                   losses[q] *= query.weight;
                   weights[q] *= query.weight;
                   for (std::size_t k = 0; k < pull.size(); ++k)
                     potentials[query.begin + query.by_grade[k]] = query.weight * pull[k];
                 }
               });
  return {sum_over_ranks(losses, context_.comm), sum_over_ranks(weights, context_.comm)};
}

PairRisk::Split FidelityPairs::split(std::span<const double> scores,
                                     std::span<const std::uint8_t> h) {
  const auto queries = pairs_.queries();
  std::vector<double> right(queries.size()), wrong(queries.size());
  parallel_for(
      context_.pool, queries.size(), kQueryChunk, [&](std::size_t first, std::size_t last) {
        for (std::size_t q = first; q < last; ++q) {
          const GradedPairs::Query& query = queries[q];
          const PairOdds odds(query, scores);
          const auto says = [&](std::uint32_t k) { return h[query.begin + query.by_grade[k]]; };
          for_each_pair(query, [&](std::uint32_t i, std::uint32_t j) {
            if (says(i) == says(j)) return;
            (says(i) ? right : wrong)[q] += query.weight * Fidelity(odds(j, i)).weight;
          });
        }
      });
  return {sum_over_ranks(right, context_.comm), sum_over_ranks(wrong, context_.comm)};
}

const Entry<Learner> kFRank = {
    "frank", "boosting of threshold rankers for the fidelity loss over pairs", "Tsai07",
    []() -> const std::vector<Field>& { return table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<FRank>(table().read(settings));
    }};

}  // namespace podium
