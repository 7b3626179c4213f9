// Those of math_functions.h that other devices need, too: the same functions, for both sides
// (both.h). Host code calls math_functions.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/both.h"
#include "core/exp_parts.h"
#include "core/log_parts.h"

namespace podium::math {

inline constexpr double kExpLargest = 710;  // exp overflows above
inline constexpr double kExpLowest = -750;  // exp is 0 below
inline constexpr double kExpNormal = 708;   // exp(±x) is a normal number up to here

// exp(x + low) for any x, |low| < 2^-40.
PODIUM_BOTH inline double exp_at_ends(double x, double low) {
  if (x != x) return x;
  if (x > kExpLargest) return kInfinity;
  if (x < kExpLowest) return 0;
  const ExpParts parts = exp_of_sum(x, low);
  return scaled(parts.high + parts.low, parts.exponent);
}

// |x| < kExpNormal.
PODIUM_BOTH inline double exp_normal(double x) {
  const ExpParts parts = exp_of(x);
  return (parts.high + parts.low) * power_of_two(parts.exponent);
}

PODIUM_BOTH inline double exp_inline(double x) {
  return std::abs(x) < kExpNormal ? exp_normal(x) : exp_at_ends(x, 0);
}

PODIUM_BOTH inline double log_inline(double x) {
  if (std::abs(x - 1) < kLogNear) {
    const DoubleDouble y = log_near_one(x - 1);
    return y.high + y.low;
  }
  if (!positive_finite(x)) [[unlikely]]
    return log_special(x);
  const Mantissa m = split(x);
  const LogEntry& c = kLogs[m.index];
  return log_far(m.exponent, c, m.rest * c.inverse);
}

PODIUM_BOTH inline double log1p_inline(double x) {
  if (std::abs(x) < kLogNear) {
    const DoubleDouble y = log_near_one(x);
    return x == 0 ? x : y.high + y.low;
  }
  const DoubleDouble whole = exact_sum_of(1, x);
  if (!positive_finite(whole.high)) [[unlikely]]
    return log_special(whole.high);
  const Mantissa m = split(whole.high);
  const LogEntry& c = kLogs[m.index];
  const double low = whole.low * power_of_two(-static_cast<std::int64_t>(m.exponent));
  return log_far(m.exponent, c, (m.rest + low) * c.inverse);
}

PODIUM_BOTH inline double log2_inline(double x) {
  if (std::abs(x - 1) < kLogNear) {
    const DoubleDouble y = log_near_one(x - 1);
    const DoubleDouble product = exact_product(y.high, kInverseLn2);
    return product.high + (product.low + (y.high * kInverseLn2Low + y.low * kInverseLn2));
  }
  if (!positive_finite(x)) [[unlikely]]
    return log_special(x);
  const Mantissa m = split(x);
  const LogEntry& c = kLogs2[m.index];
  const double r = m.rest * c.inverse;
  const DoubleDouble sum = sum_of_ordered(m.exponent + c.high, r * kInverseLn2);
  return sum.high + ((sum.low + c.low) + r * r * log_tail(r) * kInverseLn2);
}

}  // namespace podium::math
