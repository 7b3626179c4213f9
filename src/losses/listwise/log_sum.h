// log Σ_i w_i exp(x_i), one term at a time, for any finite x: kept as sum · exp(top).
#pragma once

#include <cmath>
#include <limits>

#include "core/math_functions.h"

namespace podium {

struct LogSum {
  double top = -std::numeric_limits<double>::infinity();
  double sum = 0;

  void add(double x, double weight = 1) {
    if (x <= top) {
      sum += weight * math::exp(x - top);
    } else {
      sum = sum * math::exp(top - x) + weight;
      top = x;
    }
  }
  // −∞ before the first term.
  double log() const { return top + math::log(sum); }
  // exp(x) times the sum, if that is finite.
  double times_exp(double x) const { return sum > 0 ? sum * math::exp(x + top) : 0; }
};

}  // namespace podium
