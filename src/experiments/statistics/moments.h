// Mean and standard deviation, in two passes.
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace podium {

struct Moments {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double deviation = std::numeric_limits<double>::quiet_NaN();  // with divisor n − 1
};

inline Moments moments_of(std::span<const double> values) {
  Moments result;
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return result;
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  result.mean = sum / n;
  if (values.size() < 2) return result;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  return result;
}

}  // namespace podium
