#include "losses/listwise/discount_powers.h"

#include <cmath>
#include <numbers>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr double kStep = 0.28;         // of τ
constexpr double kLargestRate = 41;    // e^−41 is rounding
constexpr double kTiny = 1e-8;         // its square is rounding
constexpr double kLargestGamma = 170;  // beyond, Γ overflows and its inverse is negligible

// 1/Γ(u), from ln Γ if that is small.
double inverse_gamma(double u) {
  double product = 1;
  for (; u > 2; u -= 1) product *= u - 1;  // Γ(u) = (u − 1) Γ(u − 1)
  const double log_gamma = (u - 0.5) * math::log(u) - u + 0.5 * math::log(2 * std::numbers::pi) +
                           math::stirling_error(u);
  return math::exp(-log_gamma) / product;
}

// ∫₀^∞ e^{uτ}/Γ(u) du, by the trapezoidal rule in ln u.
double volterra(double tau) {
  constexpr double kLogStep = 1.0 / 64;
  double sum = 0;
  for (double log_u = -40; log_u < math::log(kLargestGamma); log_u += kLogStep) {
    const double u = math::exp(log_u);
    sum += u * math::exp(u * tau) * inverse_gamma(u);
  }
  return kLogStep * sum;
}

}  // namespace

DiscountPowers discount_powers(std::size_t ranks) {
  DiscountPowers powers;
  const double smallest = kTiny / (static_cast<double>(ranks) + 2);
  double at_zero = 0;
  for (double tau = math::log(kLargestRate);; tau -= kStep) {
    const double rate = math::exp(tau), weight = std::numbers::ln2 * kStep * volterra(tau);
    if (rate >= smallest) {
      powers.terms.push_back({weight * math::exp(-2 * rate), rate});
      at_zero += powers.terms.back().weight;
    } else {
      powers.linear -= weight * rate;
      if (rate < kTiny * smallest) break;
    }
  }
  powers.constant = 1 - at_zero;  // rank 0 is not discounted
  return powers;
}

}  // namespace podium
