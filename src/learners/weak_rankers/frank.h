// FRank's loss [Tsai07]: the fidelity loss between the model's and the labels' distribution over
// the two orders of a pair, summed over pairs in which document i has the better grade:
//
//   F_ij = 1 − √P_ij,  P_ij = 1 / (1 + e^{s_j − s_i});   −∂F_ij/∂s_i = ½ √P_ij (1 − P_ij)
//
// It is between 0 and 1, so hopelessly wrong pairs do not dominate. The weight of a pair is √P (1 −
// P), which does not factorise: an evaluation visits all pairs of a short list, without storing
// them; sums over a long one take O(n log n), see losses/pairwise/long_pairs.h.
// Preferences add terms of the same form, times their weights.
#pragma once

#include "learners/weak_rankers/threshold_rankers_boosting.h"

namespace podium {

class FidelityPairs final : public PairRisk {
 public:
  FidelityPairs(const GradedPairs& pairs, Context& context) : pairs_(pairs), context_(context) {}

  // The objective is the mean fidelity loss.
  State evaluate(std::span<const double> scores, std::span<double> potentials) override;
  Split split(std::span<const double> scores, std::span<const std::uint8_t> h) override;

 private:
  const GradedPairs& pairs_;
  Context& context_;
};

}  // namespace podium
