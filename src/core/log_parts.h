// log(x) in parts, for functions that use it in further calculations, for both sides (both.h).
// math_functions.cc has the method.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/both.h"
#include "core/double_double.h"
#include "core/math_tables.h"

namespace podium::math {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kLogNear = 0x1.0p-4;  // of 1, for the polynomial

// A positive number as 2^exponent (c + rest), c the middle of one of 128 equal parts of [1, 2).
struct Mantissa {
  double exponent;
  std::size_t index;  // of c in the tables
  double middle;      // c
  double rest;        // below 2^-8
};

PODIUM_BOTH inline Mantissa split(double x) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1,
                          kOne = std::uint64_t{1023} << 52;
  constexpr int kBelow = 45;  // bits below the index
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  std::int64_t exponent = -1023;
  if (bits < std::uint64_t{1} << 52) [[unlikely]] {  // subnormal
    bits = std::bit_cast<std::uint64_t>(x * 0x1.0p54);
    exponent -= 54;
  }
  exponent += static_cast<std::int64_t>(bits >> 52);
  const std::uint64_t fraction = bits & kFraction;
  const std::uint64_t middle =
      kOne | (fraction >> kBelow << kBelow) | std::uint64_t{1} << (kBelow - 1);
  const double c = std::bit_cast<double>(middle);
  return {static_cast<double>(exponent), fraction >> kBelow, c,
          std::bit_cast<double>(kOne | fraction) - c};
}

// (log(1 + r) − r)/r², |r| < 2^-8.
PODIUM_BOTH inline double log_tail(double r) {
  const double square = r * r;
  return (-1.0 / 2 + r * (1.0 / 3)) +
         square * ((-1.0 / 4 + r * (1.0 / 5)) + square * (-1.0 / 6 + r * (1.0 / 7)));
}

// log of 2^exponent · c · (1 + r) if the result is not near 0.
PODIUM_BOTH inline double log_far(double exponent, const LogEntry& c, double r) {
  const double whole = exponent * kLn2High + c.high;  // exact
  const DoubleDouble sum = sum_of_ordered(whole, r);
  return sum.high + ((sum.low + (exponent * kLn2Low + c.low)) + r * r * log_tail(r));
}

// log(1 + t), |t| < kLogNear, as a large and a small part.
PODIUM_BOTH inline DoubleDouble log_near_one(double t) {
  const auto& a = kLogNearOne;
  const double z = t * t, y = z * z;
  const double low =
      ((a[0] + t * a[1]) + z * (a[2] + t * a[3])) + y * ((a[4] + t * a[5]) + z * (a[6] + t * a[7]));
  const double cubic = low + y * y * ((a[8] + t * a[9]) + z * a[10]);
  const DoubleDouble two = sum_of_ordered(t, -0.5 * z);
  return {two.high, two.low + t * z * cubic};
}

// log x for any x that is not positive and finite.
PODIUM_BOTH inline double log_special(double x) {
  if (x == 0) return -kInfinity;
  return x > 0 ? x : kNan;  // +∞; negative or NaN
}

PODIUM_BOTH inline bool positive_finite(double x) {
  return x > 0 && x < kInfinity;
}

}  // namespace podium::math
