// Groups of weighted points on a line, one interval per group, neighbouring intervals separated:
//
//   min  Σ_g ½ Σ_{i∈g} w_i ((l_g − f_i)₊² + (f_i − u_g)₊²) + ½ width Σ_g (u_g − l_g)²
//        + ½ gap Σ_{g>0} (margin_g − (l_g − u_{g−1}))₊²          subject to  l_g ≤ u_g
//
// gap = ∞ makes the margins constraints; width = ∞ makes each interval one point.
//
// Solved in the dual: one force α_g ≥ 0 on each gap, which pushes the intervals on either side
// apart; given the forces, the groups are independent (pulled_interval.h). The dual is piecewise
// quadratic with a tridiagonal Hessian, positive definite for every gap and width (the primal's is
// singular if no point is outside), and that Hessian is a Stieltjes matrix. Semismooth Newton that
// keeps the bounds (stieltjes.h) and a line search on the slope: exact up to rounding after a few
// steps of O(groups · log points).
#pragma once

#include <span>
#include <vector>

#include "solvers/pulled_interval.h"

namespace podium {

struct ChainGroup {
  std::vector<PulledInterval::Point> points;  // at least one, ascending
  double margin = 0;  // required distance from the previous group; unused in the first
};

struct ChainPenalties {
  double gap = 1, width = 0;  // ≥ 0, may be infinite
};

struct ChainFit {
  std::vector<double> low, high;
  double value = 0;
  double residual = 0;  // the largest violation of the dual's optimality
  int steps = 0;
};

ChainFit fit_interval_chain(std::span<const ChainGroup> groups, ChainPenalties penalties);

}  // namespace podium
