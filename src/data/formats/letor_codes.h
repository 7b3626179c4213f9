// Categories in LETOR text are whole numbers: the values themselves if all values of a feature are
// whole numbers, else their codes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

class LetorCodes {
 public:
  explicit LetorCodes(const Dataset& data);

  // The number written for a value of a feature.
  float written(std::size_t feature, float value) const;
  // Categories whose code 0 is not written as 0, so that rows must mention them; ascending.
  std::span<const std::uint32_t> never_absent() const noexcept { return never_absent_; }
  // Notes how to read the text, if there are categories. `ids`: the features' numbers.
  void note(const std::string& path, std::span<const std::uint32_t> ids, Observer& observer) const;

 private:
  struct Column {
    std::uint32_t feature;
    std::vector<float> numbers;  // by code; empty: the code itself
  };
  std::vector<Column> columns_;  // by feature
  std::vector<std::uint32_t> never_absent_;
};

}  // namespace podium
