// The discount 1/log2(r + 2) as a sum of powers, so that its mean over a random rank is a sum of
// products: with 1/ln x = ∫₀^∞ x^{−u} du and x^{−u} = ∫ λ^{u−1} e^{−λx} dλ / Γ(u),
//
//   ln 2/ln(r + 2) = ln 2 ∫ V(τ) e^{−e^τ (r + 2)} dτ,   V(τ) = ∫₀^∞ e^{uτ}/Γ(u) du
//
// by the trapezoidal rule, whose error is e^{−π²/step}. For rates e^τ that are tiny compared with
// 1/ranks, the first two terms of the exponential suffice: constant + linear · (r + 2). About 100
// terms for 10,000 ranks, each with a positive weight; accurate to rounding.
#pragma once

#include <cstddef>
#include <vector>

namespace podium {

struct DiscountPowers {
  struct Term {
    double weight, rate;  // weight · e^{−rate r}
  };
  std::vector<Term> terms;
  double constant = 0, linear = 0;  // constant + linear · r
};

// For ranks 0 … ranks − 1.
DiscountPowers discount_powers(std::size_t ranks);

}  // namespace podium
