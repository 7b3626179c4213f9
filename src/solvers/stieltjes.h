// Linear complementarity with a tridiagonal Stieltjes matrix H (symmetric, positive definite, no
// positive element off the diagonal):
//
//   z ≥ 0,  Hz + q ≥ 0,  zᵀ(Hz + q) = 0,   the minimum of ½ zᵀHz + qᵀz over z ≥ 0.
//
// The inverse of any principal part of H has no negative element, so a coordinate stays free once
// freed and z only grows: free all coordinates with a negative gradient and solve, until there are
// none. Exact; each round is linear in the size.
#pragma once

#include <span>
#include <vector>

namespace podium {

struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> off;  // between i and i + 1; the last element is not used
};

// H x, element i.
double product(const Tridiagonal& h, std::span<const double> x, std::size_t i);

std::vector<double> solve_complementarity(const Tridiagonal& h, std::span<const double> q);

}  // namespace podium
