// Σ x², with one order of additions on all devices: four squares at a time, pair by pair, then one
// by one.
#pragma once

#include <cstddef>

#include "device/both.h"

namespace podium {

PODIUM_BOTH inline double sum_of_four_squares(const double* x) {
  return (x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3]);
}

PODIUM_BOTH inline double squared_length(const double* x, std::size_t n) {
  double sum = 0;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) sum += sum_of_four_squares(x + i);
  for (; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

}  // namespace podium
