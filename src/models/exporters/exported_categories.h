// The numbers that stand for a category's values in other systems' files. Where all values of all
// categories are whole numbers up to 65535, as in LETOR text, they are the values themselves.
// Otherwise they are Podium's codes, 0, 1, …, the places of the values in the model's lists;
// formats that can name the values do so.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/model.h"

namespace podium {

struct ExportedCategories {
  enum class Numbers { values, codes } numbers = Numbers::codes;
  // By feature and code; empty for numbers.
  std::vector<std::vector<std::uint32_t>> number_of;

  ExportedCategories() = default;
  ExportedCategories(const FeatureSchema& schema, std::size_t features);

  bool empty() const { return number_of.empty(); }
  bool is_category(std::size_t feature) const {
    return !number_of.empty() && !number_of[feature].empty();
  }
  // A model's code, or NaN, as the file's number.
  float operator()(std::size_t feature, float code) const;
  // Sets of codes as sets of these numbers.
  void renumber(Forest& forest) const;
};

}  // namespace podium
