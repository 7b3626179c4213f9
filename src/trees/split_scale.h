// The scores of the two sides of a split, in units of the quantised derivatives (split_finder.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "device/both.h"
#include "trees/split_finder.h"

namespace podium {

constexpr double kForbiddenSplit = -std::numeric_limits<double>::infinity();
constexpr double kSplitRounding = 1e-12;  // a gain below this share of the score is none

// The rules in units of the derivatives, for one leaf.
struct SplitScale {
  SplitScale() = default;
  SplitScale(const SplitRules& rules, const ValueBounds& bounds)
      : l2(rules.l2 / rules.second_unit),
        category_l2(rules.category_l2 / rules.second_unit),
        min_curvature(rules.min_curvature / rules.second_unit),
        min_docs(std::max<std::int64_t>(1, rules.min_docs)) {
    const double value_unit = rules.first_unit / rules.second_unit;
    low = bounds.low / value_unit;
    high = bounds.high / value_unit;
  }
  PODIUM_BOTH bool allows(const DerivativeSums& side) const {
    const auto second = static_cast<double>(side.second);
    return side.documents >= min_docs && second >= min_curvature && second + l2 > 0;
  }
  PODIUM_BOTH double value(const DerivativeSums& side) const {
    const double free = -static_cast<double>(side.first) / (static_cast<double>(side.second) + l2);
    return std::clamp(free, low, high);
  }

  double l2 = 0, category_l2 = 0, min_curvature = 0;
  std::int64_t min_docs = 1;
  double low = 0, high = 0;
};

// −(2 G w + (H + λ) w²) at the best w that is allowed, with `more` added to λ.
PODIUM_BOTH inline double score_of(const SplitScale& scale, double first, double second,
                                   double more) {
  const double penalized = second + scale.l2 + more;
  const double w = std::clamp(-first / penalized, scale.low, scale.high);
  return -w * (2 * first + penalized * w);
}

PODIUM_BOTH inline double side_score(const SplitScale& scale, const DerivativeSums& side,
                                     double more = 0) {
  return score_of(scale, static_cast<double>(side.first), static_cast<double>(side.second), more);
}

// s(left) + s(right) for unconstrained values, with one division.
PODIUM_BOTH inline double free_score(const SplitScale& scale, const DerivativeSums& left,
                                     const DerivativeSums& right) {
  const auto first_l = static_cast<double>(left.first);
  const auto first_r = static_cast<double>(right.first);
  const double second_l = static_cast<double>(left.second) + scale.l2;
  const double second_r = static_cast<double>(right.second) + scale.l2;
  return (first_l * first_l * second_r + first_r * first_r * second_l) / (second_l * second_r);
}

// The same under monotone constraints; `direction`: of the feature.
PODIUM_BOTH inline double bounded_score(const SplitScale& scale, int direction,
                                        const DerivativeSums& left, const DerivativeSums& right) {
  if (direction != 0 && direction * (scale.value(right) - scale.value(left)) < 0)
    return kForbiddenSplit;
  return side_score(scale, left) + side_score(scale, right);
}

// What the score of the best split of a number is above that of the leaf; 0 if only by rounding.
// `is_free`: without monotone constraints in the whole tree.
PODIUM_BOTH inline double net_score(const SplitScale& scale, const DerivativeSums& sums,
                                    double found, bool is_free) {
  const auto first = static_cast<double>(sums.first);
  const double before = is_free ? first * first / (static_cast<double>(sums.second) + scale.l2)
                                : side_score(scale, sums);
  return found - before <= kSplitRounding * before ? 0 : found - before;
}

// The gain in the loss's units. `unit`: gain_unit() of the rules.
PODIUM_BOTH inline double gain_of(double net_score, double unit) {
  return std::min(0.5 * net_score * unit, std::numeric_limits<double>::max());
}
inline double gain_unit(const SplitRules& rules) {
  return rules.first_unit / rules.second_unit * rules.first_unit;
}

}  // namespace podium
