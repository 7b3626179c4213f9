// Data with a category and missing values.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "podium/dataset.h"

namespace podium::testing {

// Of dense numbers from 0 to 1: the second feature becomes a category whose codes have no order,
// and a part of the first is missing. `values` is not a multiple of 7.
inline Dataset with_categories(const Dataset& data, std::size_t values) {
  DatasetParts parts = data.parts();
  std::vector<float> numbers(parts.dense.view().begin(), parts.dense.view().end());
  for (std::size_t i = 0; i < numbers.size(); i += data.features()) {
    const auto bucket = static_cast<std::size_t>(static_cast<float>(values) * numbers[i + 1]);
    numbers[i + 1] = static_cast<float>(7 * bucket % values);
    if (bucket % 6 == 1) numbers[i] = std::numeric_limits<float>::quiet_NaN();
  }
  parts.dense = std::move(numbers);
  std::vector<std::string> names;
  for (std::size_t v = 0; v < values; ++v) names.emplace_back(1, static_cast<char>('a' + v));
  parts.schema = FeatureSchema({{1, make_strings(names)}});
  return Dataset(std::move(parts));
}

}  // namespace podium::testing
