// SoftRank's expected discounts for a long list without a cut-off [Taylor08]. The rank of document
// i is a sum of coins with probabilities p_ji = Φ(s_j − s_i), with scores in units of the spread.
// With the discount as a sum of powers w z^r (discount_powers.h),
//
//   E D(r_i) = Σ w exp L(i),   L(i) = Σ_{j≠i} ln(1 − (1 − z) p_ji)
//
// and both L and the derivatives are sums of a smooth function of score differences
// (solvers/difference_sums.h): O(n) for each of about 100 powers, whereas the distributions of all
// ranks take O(n³).
#pragma once

#include <span>
#include <vector>

#include "losses/listwise/discount_powers.h"
#include "podium/stop.h"

namespace podium {

// The expected number of documents above each one; scores in units of the spread.
std::vector<double> expected_ranks(std::span<const double> scores, StopCheck stop = {});

struct SoftGain {
  double value;  // Σ gain_i E D(r_i)
  // How much it rises with a document's score because of its own discount, and how much it falls
  // because of the others'; both ≥ 0.
  std::vector<double> own, others;
};
SoftGain expected_gain(std::span<const double> scores, std::span<const double> gains,
                       const DiscountPowers& powers, StopCheck stop = {});

}  // namespace podium
