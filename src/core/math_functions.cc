// Powers and logarithms; erfc.cc and cos_pi.cc have the others. An argument is reduced to a table
// entry without error, and the rest is a short polynomial. Sums are ordered so that only the last
// addition rounds at the magnitude of the result:
//
//   exp   x = n ln 2/128 + r, exp(x) = 2^⌊n/128⌋ · T (1 + p),
//         T = 2^((n mod 128)/128), p = exp(r) − 1
//   log   x = 2^e m, m in [1, 2), c the middle of m's 128th, r = (m − c)/c:
//         log x = e ln 2 + log c + log(1 + r); within 1/16 of 1 a polynomial of x − 1
#include "core/math_functions.h"

#include <bit>
#include <cmath>
#include <utility>

#include "core/double_double.h"
#include "core/exp_parts.h"
#include "core/log_parts.h"
#include "core/math_inline.h"
#include "core/math_tables.h"

namespace podium::math {
namespace {

constexpr double kExpm1Near = 0.35;     // of 0
constexpr double kTanhNear = 0x1.0p-2;  // of 0

// log x to about 70 bits.
DoubleDouble long_log(double x) {
  DoubleDouble r, whole;
  if (std::abs(x - 1) < 0x1.0p-8) {
    r = {x - 1, 0};
  } else {
    const Mantissa m = split(x);
    const LogEntry& c = kLogs[m.index];
    r = DoubleDouble{m.rest, 0} / DoubleDouble{m.middle, 0};
    whole = sum_of_ordered(m.exponent * kLn2High + c.high, m.exponent * kLn2Low + c.low);
  }
  const double t = r.high;
  const double fifth = 1.0 / 5 - t * (1.0 / 6 - t * (1.0 / 7 - t * (1.0 / 8 - t * (1.0 / 9))));
  const DoubleDouble square = r * r;
  const DoubleDouble cube = square * r;
  const DoubleDouble third = cube * (DoubleDouble{1, 0} / DoubleDouble{3, 0});
  const DoubleDouble half = {-0.5 * square.high, -0.5 * square.low};
  const DoubleDouble rest =
      exact_sum_of(-0.25 * square.high * square.high, cube.high * square.high * fifth);
  return whole + (r + (half + (third + rest)));
}

// Not inlined: rare.
[[gnu::noinline]] double exp_rare(double x, double low) {
  return exp_at_ends(x, low);
}

}  // namespace

double exp(double x) {
  if (std::abs(x) < kExpNormal) [[likely]]
    return exp_normal(x);
  return exp_rare(x, 0);
}

double exp2(double x) {
  if (!(std::abs(x) < 1022)) [[unlikely]] {
    if (x != x) return x;
    if (x >= 1024) return kInfinity;
    if (x < -1080) return 0;
  }
  const double shifted = x * 128 + kRounder;
  const double r = (x - (shifted - kRounder) * (1.0 / 128)) * kLn2;
  const ExpParts parts = exp_parts(shifted, r);
  return scaled(parts.high + parts.low, parts.exponent);
}

double expm1(double x) {
  if (std::abs(x) < kExpm1Near) {
    const auto& a = kExpm1;
    const double z = x * x, y = z * z;
    const double low = ((a[0] + x * a[1]) + z * (a[2] + x * a[3])) +
                       y * ((a[4] + x * a[5]) + z * (a[6] + x * a[7]));
    const double cubic = low + y * y * ((a[8] + x * a[9]) + z * a[10]);
    return x == 0 ? x : x + (0.5 * z + x * z * cubic);
  }
  if (x < -40) return -1;
  if (!(x < kExpNormal)) return exp(x);
  const ExpParts parts = exp_of(x);
  const double power = power_of_two(parts.exponent);
  const DoubleDouble less = exact_sum_of(power * parts.high, -1);
  return less.high + (less.low + power * parts.low);
}

double log(double x) {
  return log_inline(x);
}

double log1p(double x) {
  return log1p_inline(x);
}

double log2(double x) {
  return log2_inline(x);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y || x < 0) return kNan;
  if (x == 0 || x == kInfinity) return (x > 0) == (y > 0) ? kInfinity : 0;
  const DoubleDouble log = long_log(x);
  const double estimate = log.high * y;
  if (!(std::abs(estimate) < 1000)) return exp(estimate);  // 0 or ∞
  const DoubleDouble power = log * DoubleDouble{y, 0};
  return exp_rare(power.high, power.low);
}

// (e − 1)/(e + 1) with e = exp(2|x|).
double tanh(double x) {
  const double size = std::abs(x);
  if (size < kTanhNear) {
    const auto& a = kTanh;
    const double z = x * x, y = z * z;
    const double low = ((a[0] + z * a[1]) + y * (a[2] + z * a[3])) +
                       y * y * ((a[4] + z * a[5]) + y * (a[6] + z * a[7]));
    return x == 0 ? x : x + x * z * (low + y * y * (y * y * a[8]));
  }
  if (!(size < 20)) return x != x ? x : std::copysign(1.0, x);
  const ExpParts parts = exp_of(2 * size);
  const double power = power_of_two(parts.exponent);
  const DoubleDouble e = sum_of_ordered(power * parts.high, power * parts.low);
  const DoubleDouble quotient = (e + DoubleDouble{-1, 0}) / (e + DoubleDouble{1, 0});
  return std::copysign(quotient.high + quotient.low, x);
}

double hypot(double x, double y) {
  double large = std::abs(x), small = std::abs(y);
  if (large == kInfinity || small == kInfinity) return kInfinity;
  if (small > large) std::swap(large, small);
  if (small == 0 || large != large || small != small) return large + small;
  const double unit = large > 0x1.0p500 ? 0x1.0p600 : large < 0x1.0p-400 ? 0x1.0p-600 : 1;
  large /= unit;
  small /= unit;
  const DoubleDouble square = exact_product(large, large) + exact_product(small, small);
  const double root = std::sqrt(square.high);
  const DoubleDouble again = exact_product(root, root);
  return (root + (((square.high - again.high) - again.low) + square.low) / (2 * root)) * unit;
}

}  // namespace podium::math
