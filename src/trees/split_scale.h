// The scores of the two sides of a split, in units of the quantised derivatives (split_finder.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "trees/split_finder.h"

namespace podium {

constexpr double kForbiddenSplit = -std::numeric_limits<double>::infinity();
constexpr double kSplitRounding = 1e-12;  // a gain below this share of the score is none

// The rules in units of the derivatives, for one leaf.
struct SplitScale {
  SplitScale(const SplitRules& rules, const ValueBounds& bounds)
      : l2(rules.l2 / rules.second_unit),
        category_l2(rules.category_l2 / rules.second_unit),
        min_curvature(rules.min_curvature / rules.second_unit),
        min_docs(std::max<std::int64_t>(1, rules.min_docs)) {
    const double value_unit = rules.first_unit / rules.second_unit;
    low = bounds.low / value_unit;
    high = bounds.high / value_unit;
  }
  bool allows(const DerivativeSums& side) const {
    const auto second = static_cast<double>(side.second);
    return side.documents >= min_docs && second >= min_curvature && second + l2 > 0;
  }
  double value(const DerivativeSums& side) const {
    const double free = -static_cast<double>(side.first) / (static_cast<double>(side.second) + l2);
    return std::clamp(free, low, high);
  }

  double l2, category_l2, min_curvature;
  std::int64_t min_docs;
  double low = 0, high = 0;
};

// −(2 G w + (H + λ) w²) at the best w that is allowed, with `more` added to λ.
inline double score_of(const SplitScale& scale, double first, double second, double more) {
  const double penalized = second + scale.l2 + more;
  const double w = std::clamp(-first / penalized, scale.low, scale.high);
  return -w * (2 * first + penalized * w);
}

inline double side_score(const SplitScale& scale, const DerivativeSums& side, double more = 0) {
  return score_of(scale, static_cast<double>(side.first), static_cast<double>(side.second), more);
}

}  // namespace podium
