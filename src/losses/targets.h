// The numeric target y_g of a grade, for losses that regress on grades:
//   linear  g          exp2  2^g − 1
//   a list "0/1/3/7/15" (or with ';'), by grade from 0, interpolated between whole grades and
//   constant outside.
// Targets do not decrease with the grade.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "podium/label_use.h"

namespace podium {

class Targets {
 public:
  explicit Targets(std::string_view text);  // Error (usage) on anything else
  double operator()(float grade) const;
  std::vector<double> of(std::span<const float> grades) const;
  LabelUse label_use() const;

 private:
  enum class Kind { linear, exp2, list };
  Kind kind_;
  std::vector<double> list_ = {};
};

constexpr const char* kTargetsHelp =
    "target of a grade: linear, exp2, or a list such as 0/1/3/7/15";

}  // namespace podium
