// Columns of categories: parsers number the values within their piece in order of appearance; when
// all of the text is known, on all ranks, the numbers become codes (feature_schema.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/formats/assemble.h"
#include "data/formats/row_piece.h"
#include "podium/context.h"
#include "podium/feature_schema.h"

namespace podium {

// Numbers the values of one column within a piece, from 1.
class CategoryNumbers {
 public:
  std::size_t number_of(std::string_view value) {
    const auto found = numbers_.find(value);
    if (found != numbers_.end()) return found->second;
    values_.emplace_back(value);
    return numbers_.emplace(values_.back(), values_.size()).first->second;
  }
  std::vector<std::string> take() { return std::move(values_); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::string> values_;
};

// Whether a field of text is a missing value: empty, NA, nan or NULL, as for numbers.
bool means_missing(std::string_view field);

// Turns the numbers in the columns around.categories of the pieces into codes, the same on all
// ranks, and returns the columns' values. Collective: all ranks of the context must call it.
std::vector<FeatureSchema::Category> encode_categories(std::vector<RowPiece>& pieces,
                                                       const RowContext& around, Context& context);

}  // namespace podium
