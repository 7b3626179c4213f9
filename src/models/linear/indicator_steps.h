// Fast products with indicator data, as produced by binning: a feature is a stretch of columns [x >
// t_1], [x > t_2], …, and a document has 1 in a prefix of them. So a row needs one number per
// feature, the last column that is 1:
//
//   X = E T,   (T w)_j = w_b + … + w_j,   b the first column of j's stretch,
//
// where E has a single 1 for every run of ones of a row. X w = E (T w) and Xᵀ c = Tᵀ (Eᵀ c) then
// take one step per feature instead of one per threshold, and nothing is subtracted. Stretches are
// found in the data: one begins where a run of ones begins in some row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

class IndicatorSteps {
 public:
  // nullopt if the data has values other than 0, 1 and missing, or if runs are short. Collective:
  // all ranks must call it, each with its part of the data.
  static std::optional<IndicatorSteps> find(const Dataset& data, Context& context);

  const Dataset& steps() const noexcept { return steps_; }            // E
  std::vector<double> sums_up_to(std::span<const double> w) const;    // T w
  std::vector<double> sums_from(std::vector<double> at_steps) const;  // Tᵀ of it

 private:
  IndicatorSteps(Dataset steps, std::vector<std::int64_t> starts)
      : steps_(std::move(steps)), starts_(std::move(starts)) {}

  Dataset steps_;
  std::vector<std::int64_t> starts_;  // per column: rows, over all ranks, with a run from it
};

}  // namespace podium
