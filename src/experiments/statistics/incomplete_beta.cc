// I_x(a, b) = x^a y^b / (B(a, b) F) with F = b₀ + a₁/(b₁ + a₂/(b₂ + …)), the contracted continued
// fraction of [DiDonato92], which converges quickly for x < (a + 1)/(a + b + 2); beyond,
// I_x(a, b) = 1 − I_y(b, a).
//
// For large a or b, terms cancel analytically but not in floating point. With λ = a y − b x, the
// distance from the mean,
//   x^a y^b / B(a, b) = √(ab / 2π(a + b)) (1 − λ/a)^a (1 + λ/b)^b exp(δ(a + b) − δ(a) − δ(b)),
// where δ(z) is the error of Stirling's formula for ln Γ(z).
#include "experiments/statistics/incomplete_beta.h"

#include <cmath>
#include <numbers>

#include "core/math_functions.h"

namespace podium {
namespace {

// ln(1 + change), where 1 + change is also known as the ratio.
double log_ratio(double change, double ratio) {
  return std::abs(change) < 0.5 ? math::log1p(change) : math::log(ratio);
}

// x^a y^b / B(a, b).
double front(double a, double b, double x, double y, double lambda) {
  const double sum = a + b;
  const double exponent = a * log_ratio(-lambda / a, x * sum / a) +
                          b * log_ratio(lambda / b, y * sum / b) + math::stirling_error(sum) -
                          math::stirling_error(a) - math::stirling_error(b);
  return std::sqrt(a * (b / sum) / (2 * std::numbers::pi)) * math::exp(exponent);
}

// F by the modified Lentz method.
double continued_fraction(double a, double b, double x, double lambda) {
  constexpr int kMaxTerms = 100000;
  constexpr double kTiny = 1e-300, kPrecision = 2e-16;
  const auto safe = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double f = safe(a * (lambda + 1) / (a + 1)), c = f, d = 0;
  for (int m = 1; m <= kMaxTerms; ++m) {
    const double before = a + 2 * m - 1, after = a + 2 * m + 1;
    const double numerator =
        (a + m - 1) / before * ((a + b + m - 1) / before) * (m * (b - m) * x * x);
    const double denominator =
        m + m * (b - m) * x / before + (a + m) / after * (lambda + 1 + m * (2 - x));
    d = 1 / safe(denominator + numerator * d);
    c = safe(denominator + numerator / c);
    f *= c * d;
    if (std::abs(c * d - 1) <= kPrecision) break;
  }
  return f;
}

double lower_tail(double a, double b, double x, double y) {
  const double lambda = a * y - b * x;
  return front(a, b, x, y, lambda) / continued_fraction(a, b, x, lambda);
}

}  // namespace

double regularised_incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  return x * (a + b + 2) < a + 1 ? lower_tail(a, b, x, y) : 1 - lower_tail(b, a, y, x);
}

}  // namespace podium
