// The chain of intervals (interval_chain.h) inside a logarithmic barrier [Moon10, Algorithm 2]:
//
//   min  Σ_g ½ Σ_{i∈g} w_i ((l_g − f_i)₊² + (f_i − u_g)₊²) + ½ gap ‖ε‖² + ½ width ‖ξ‖²
//        − 1/μ Σ_g [log(u_g − l_g) + log(l_g + ξ_g − u_g)]
// over l, u, ε, ξ. The paper prints its last term with − ε, which would reward slack; this is the
// term with the sign of its constraint. For μ → ∞ the minimum is that of interval_chain.h; a small
// μ rewards gaps beyond the margin and intervals of positive width.
//
// The slacks have closed forms. With s = l_g − u_{g−1} − margin_g and c = 4 / (μ gap) the argument
// of the last logarithm is t = (s + √(s² + c)) / 2 and ε = 1 / (μ gap t); likewise for ξ. What is
// left is smooth and convex in (l, u) with a tridiagonal Hessian. Damped Newton along a path of
// growing μ, each step linear in the number of groups, until the steps are rounding errors.
#pragma once

#include <span>

#include "solvers/interval_chain.h"

namespace podium {

// mu > 0; gap > 0, may be infinite (margins are constraints); width > 0 and finite: without a price
// on ξ the objective has no minimum, and with an infinite one no interior. `residual` of the result
// is the largest component of the objective's gradient in (l, u).
ChainFit fit_interval_barrier(std::span<const ChainGroup> groups, ChainPenalties penalties,
                              double mu);

}  // namespace podium
