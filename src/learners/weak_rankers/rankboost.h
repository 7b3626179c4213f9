// RankBoost's loss [Freund03]: Σ w exp(s_j − s_i) over the pairs in which document i has the better
// grade. The weight of a pair is its share of the sum, so potentials come from two sums per grade:
//
//   π_i ∝ e^{−s_i} Σ_{j worse} e^{s_j} − e^{s_i} Σ_{k better} e^{−s_k}
//
// O(n log n) once per query and O(n) per evaluation, with sums kept as logarithms: scores of any
// size neither overflow nor lose pairs. Preferences are further pairs of the sum, one term each.
#pragma once

#include <vector>

#include "learners/weak_rankers/threshold_rankers_boosting.h"

namespace podium {

class ExponentialPairs final : public PairRisk {
 public:
  ExponentialPairs(const GradedPairs& pairs, Context& context) : pairs_(pairs), context_(context) {}

  // The objective is the logarithm of the mean exponential loss.
  State evaluate(std::span<const double> scores, std::span<double> potentials) override;
  Split split(std::span<const double> scores, std::span<const std::uint8_t> h) override;

 private:
  const GradedPairs& pairs_;
  Context& context_;
  double reference_ = 0;  // the largest pair's logarithm: weights are relative to that pair
};

}  // namespace podium
