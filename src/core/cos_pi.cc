// cos(πx): reduced without error to the sine or cosine of an angle of at most π/4, then a Taylor
// polynomial of πx in two parts.
#include <cmath>

#include "core/double_double.h"
#include "core/math_functions.h"
#include "core/math_tables.h"

namespace podium::math {
namespace {

DoubleDouble times_pi(double x) {
  const DoubleDouble product = exact_product(x, kPi);
  return sum_of_ordered(product.high, product.low + x * kPiLow);
}

// cos(πx), 0 ≤ x ≤ ¼.
double cos_part(double x) {
  const DoubleDouble y = times_pi(x), square = y * y;
  const double z = square.high;
  const double tail =
      1.0 / 24 -
      z * (1.0 / 720 -
           z * (1.0 / 40320 -
                z * (1.0 / 3628800 - z * (1.0 / 479001600 - z * (1.0 / 87178291200.0 -
                                                                 z * (1.0 / 20922789888000.0))))));
  const DoubleDouble parabola = sum_of_ordered(1, -0.5 * z);
  return parabola.high + ((parabola.low - 0.5 * square.low) + z * z * tail);
}

// sin(πx), 0 ≤ x ≤ ¼.
double sin_part(double x) {
  const DoubleDouble y = times_pi(x), square = y * y;
  const double z = square.high;
  const double tail =
      1.0 / 120 -
      z * (1.0 / 5040 -
           z * (1.0 / 362880 - z * (1.0 / 39916800 - z * (1.0 / 6227020800.0 -
                                                          z * (1.0 / 1307674368000.0 -
                                                               z * (1.0 / 355687428096000.0))))));
  const DoubleDouble cubic = y * square / DoubleDouble{6, 0};
  const DoubleDouble sum = sum_of_ordered(y.high, -cubic.high);
  return sum.high + ((sum.low + (y.low - cubic.low)) + y.high * z * z * tail);
}

}  // namespace

double cos_pi(double x) {
  double turn = std::fmod(std::abs(x), 2.0);  // exact
  if (turn > 1) turn = 2 - turn;
  const bool negative = turn > 0.5;
  if (negative) turn = 1 - turn;
  const double cosine = turn > 0.25 ? sin_part(0.5 - turn) : cos_part(turn);
  return negative ? -cosine : cosine;
}

}  // namespace podium::math
