// Pair weights that depend on the current ranking: what a λ-rule multiplies the pair function with.
// Those of a measure are |value after swapping the two documents − value before|, exactly. nDCG,
// DCG, AP, GMAP, RR, ERR, P, R, RelP, AUC, Bpref and GMBpref have closed forms, O(1) a pair; tau
// and PairAcc take O(log grades); any other measure is asked for its swap_delta, which for IPrec,
// infAP and MeanNDCG looks at the whole list.
//
// Life of a query: factor(ideal labels) once, when the loss is bound → rank(labels in the current
// order, factor) at each evaluation → row(pivot, …) for each of the first ranks.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "losses/pair_kernels_targets.h"
#include "podium/measure.h"

namespace podium {

// The weights of one ranking.
class RankedWeights {
 public:
  virtual ~RankedWeights() = default;
  // weight[j] for the pairs of ranks (pivot, j), pivot < j < the number of documents; pivot is
  // below depth(). Places begin … end − 1 (multiples of kPairBlock around those) may all be
  // written. Weights that take long ask `stop` on the way.
  virtual void row(std::size_t pivot, std::size_t begin, std::size_t end, double* weight,
                   StopCheck stop) const = 0;
};

class RankWeights {
 public:
  virtual ~RankWeights() = default;
  // What the labels alone settle, as one factor of all weights; nullopt: the query says nothing.
  virtual std::optional<double> factor(std::span<const float> ideal) const = 0;
  // Of one document at least.
  virtual std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                                    double factor) const = 0;
  // Pairs of two ranks from here on weigh nothing.
  virtual std::size_t depth() const = 0;
};

// |ΔM|. `by_rank` must outlive what rank() returns.
std::unique_ptr<const RankWeights> swap_weights(const MeasurePtr& measure);

// Gain differences × (|difference of discounts| · ρ + μ · |discount of the distance − of the
// next|), of NDCG-Loss2++ (ρ = 1) and NDCG-Loss2 (ρ = 0, μ = 1) [Wang18].
struct DistanceForm {
  double rank_share = 1;
  double mu = 10;
  std::size_t depth = Measure::kWholeList;
};
std::unique_ptr<const RankWeights> distance_weights(std::string_view gain,
                                                    const DistanceForm& form);

// The next multiple of kPairBlock, and the last one.
constexpr std::size_t block_end(std::size_t n) {
  return (n + kPairBlock - 1) / kPairBlock * kPairBlock;
}
constexpr std::size_t block_begin(std::size_t n) {
  return n / kPairBlock * kPairBlock;
}

}  // namespace podium
