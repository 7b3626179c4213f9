// Pair weights that depend on the current ranking: the factors of the pair function in a λ-rule.
// Those of a measure are |value after swapping the two documents − value before|, exactly. Measures
// with a closed form (Measure::swap_weights) take O(1) per pair, tau and PairAcc O(log grades); any
// other measure computes its swap_delta, which for IPrec, infAP and MeanNDCG evaluates the whole
// list.
//
// podium/rank_weights.h has the interface.
#pragma once

#include <memory>

#include "losses/pairwise/pair_kernels.h"
#include "podium/measure.h"
#include "podium/rank_weights.h"

namespace podium {

static_assert(kWeightBlock == kPairBlock);  // the pair kernels read rows of weights

// The measure's closed form, or its swap_delta pair by pair.
std::shared_ptr<const RankWeights> swap_weights(const MeasurePtr& measure);

// Gain differences × (|difference of discounts| · ρ + μ · |discount of the distance − of the
// next|), of NDCG-Loss2++ (ρ = 1) and NDCG-Loss2 (ρ = 0, μ = 1) [Wang18].
struct DistanceForm {
  double rank_share = 1;
  double mu = 10;
  std::size_t depth = Measure::kWholeList;
};
std::unique_ptr<const RankWeights> distance_weights(std::string_view gain,
                                                    const DistanceForm& form);

// n rounded up to a multiple of kPairBlock, and rounded down.
constexpr std::size_t block_end(std::size_t n) {
  return (n + kPairBlock - 1) / kPairBlock * kPairBlock;
}
constexpr std::size_t block_begin(std::size_t n) {
  return n / kPairBlock * kPairBlock;
}

}  // namespace podium
