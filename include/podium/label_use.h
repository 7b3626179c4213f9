// What a measure or a loss makes of labels. Labels are grades, 0, 1, 2, …; other numbers (counts,
// shares, −1) mean something to some measures and mislead others, and this says which.
#pragma once

#include <optional>

namespace podium {

struct LabelUse {
  enum class Growth {
    none,
    e,     // in proportion to e^label: beyond kHighestGrade only a query's highest label counts
    exp2,  // gains of 2^label − 1: the same
  } growth = Growth::none;
  std::optional<double> relevant_from = {};  // only whether labels reach this counts
  std::optional<double> top = {};            // higher labels count as this one
  bool cuts_fractions = false;               // 2.5 counts as 2
  bool ignores_negative = false;             // labels below 0 count as 0
};

// As in LightGBM and XGBoost.
constexpr double kHighestGrade = 31;

}  // namespace podium
