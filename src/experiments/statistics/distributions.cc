#include "experiments/statistics/distributions.h"

#include <cmath>
#include <numbers>

#include "core/math_functions.h"
#include "experiments/statistics/incomplete_beta.h"

namespace podium {
namespace {

// The root of a decreasing function on [0, ∞): doubles until it is bracketed, then bisects until
// the ends are adjacent.
template <class Function>
double root_of_decreasing(Function&& f) {
  double low = 0, high = 1;
  while (f(high) > 0 && high < 1e300) {
    low = high;
    high *= 2;
  }
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (f(middle) > 0 ? low : high) = middle;
  }
}

}  // namespace

double student_t_two_sided(double t, double degrees) {
  const double square = t * t;
  if (std::isinf(square)) return 0;
  // Both parts of the fraction are passed, so that the smaller of degrees and t² is not lost.
  return regularised_incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square),
                                     square / (degrees + square));
}

double student_t_critical(double p, double degrees) {
  return root_of_decreasing([&](double t) { return student_t_two_sided(t, degrees) - p; });
}

double normal_cdf(double z) {
  return math::erfc(-z / std::numbers::sqrt2) / 2;
}

double normal_two_sided(double z) {
  return math::erfc(std::abs(z) / std::numbers::sqrt2);
}

double normal_quantile(double p) {
  const double tail = p < 0.5 ? p : 1 - p;
  const double z = root_of_decreasing([&](double x) { return normal_cdf(-x) - tail; });
  return p < 0.5 ? -z : z;
}

}  // namespace podium
