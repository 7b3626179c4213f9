// exp(x) in parts, for functions that use it in further calculations.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/both.h"
#include "core/math_tables.h"

namespace podium::math {

// 2^exponent · (high + low), high in [1, 2) and |low| < 2^-7; the error of low is at most 2^-60.
struct ExpParts {
  std::int64_t exponent;
  double high, low;
};

// Adding it rounds to a whole number, which is then in the lowest bits.
inline constexpr double kRounder = 0x1.8p52;

// exp(n ln 2/128 + r) with n rounded by kRounder, |r| ≤ ln 2/256.
PODIUM_BOTH inline ExpParts exp_parts(double shifted, double r) {
  const std::int64_t n =
      std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(kRounder);
  const PowerEntry& power = kPowers[static_cast<std::size_t>(n & 127)];
  const double square = r * r;
  const double p = (power.tail + r) +
                   square * ((1.0 / 2 + r * (1.0 / 6)) + square * (1.0 / 24 + r * (1.0 / 120)));
  return {n >> 7, power.value, power.value * p};
}

// exp(x + low), |x| < 2^12 and |low| < 2^-40.
PODIUM_BOTH inline ExpParts exp_of_sum(double x, double low) {
  const double shifted = x * kInverseStep + kRounder;
  const double n = shifted - kRounder;
  return exp_parts(shifted, (x - n * kStepHigh) - (n * kStepLow - low));
}
PODIUM_BOTH inline ExpParts exp_of(double x) {
  const double shifted = x * kInverseStep + kRounder;
  const double n = shifted - kRounder;
  return exp_parts(shifted, (x - n * kStepHigh) - n * kStepLow);
}

// 2^exponent; −1022 ≤ exponent ≤ 1023.
PODIUM_BOTH inline double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>((exponent + 1023) << 52);
}

// x · 2^exponent for x in (½, 4).
PODIUM_BOTH inline double scaled(double x, std::int64_t exponent) {
  if (exponent > 1020) [[unlikely]]
    return x * power_of_two(exponent - 64) * 0x1.0p64;
  if (exponent < -1020) [[unlikely]]
    return x * power_of_two(exponent + 128) * 0x1.0p-128;
  return x * power_of_two(exponent);
}

}  // namespace podium::math
