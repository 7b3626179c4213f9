// See examination_em.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace podium {

template <class Step>
std::vector<double> accelerated_em(std::vector<double>& x, const Step& step,
                                   std::int64_t iterations, double tolerance) {
  std::vector<double> objective, once(x.size()), twice(x.size()), far(x.size());
  const auto stalls = [&] {
    const std::size_t n = objective.size();
    return n > 3 && objective[n - 1] - objective[n - 4] <=
                        tolerance * (std::abs(objective[n - 1]) + 1);
  };
  while (static_cast<std::int64_t>(objective.size()) < iterations && !stalls()) {
    objective.push_back(step(x, once));
    const double after_one = step(once, twice);
    objective.push_back(after_one);
    double r = 0, v = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double first = once[i] - x[i], second = twice[i] - once[i] - first;
      r += first * first;
      v += second * second;
    }
    if (!(v > 0)) {
      x = twice;
      continue;
    }
    const double length = std::max(1.0, std::sqrt(r / v));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double first = once[i] - x[i], second = twice[i] - once[i] - first;
      far[i] = std::clamp(x[i] + 2 * length * first + length * length * second,
                          kSmallestProbability, 1 - kSmallestProbability);
    }
    const double there = step(far, x);
    if (there >= after_one)
      objective.push_back(there);
    else
      x = twice;
  }
  return objective;
}

}  // namespace podium
