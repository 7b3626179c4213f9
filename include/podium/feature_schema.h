// The types of a data set's features: numbers or categories. A category is stored as a code, the
// index of its value in the ordered list of all values of the feature. Numeric values come first,
// in numeric order, then texts by their bytes; so codes depend only on the set of values, not on
// the order of rows, files or ranks.
//
// Ignored columns are not features: only their names are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/buffer.h"

namespace podium {

enum class FeatureType : std::uint8_t { number, category, ignored };
std::string_view to_text(FeatureType type);
std::optional<FeatureType> parse_feature_type(std::string_view name);

// A float32 represents all integers up to this one exactly.
inline constexpr std::size_t kMostCategories = std::size_t{1} << 24;

// The order of category values.
bool category_precedes(std::string_view a, std::string_view b);

class FeatureSchema {
 public:
  struct Category {
    std::uint32_t feature = 0;
    Strings values;  // by code
  };

  FeatureSchema() = default;
  // Throws an Error if features or values are not ascending, or if there are too many. `ignored`
  // are names.
  explicit FeatureSchema(std::vector<Category> categories, std::vector<std::string> ignored = {});

  bool all_numbers() const noexcept { return categories_.empty(); }
  FeatureType type(std::size_t feature) const {
    return values(feature) ? FeatureType::category : FeatureType::number;
  }
  // The values of a category, by code; null for a number.
  const Strings* values(std::size_t feature) const;
  std::span<const Category> categories() const noexcept { return categories_; }
  const std::vector<std::string>& ignored() const noexcept { return ignored_; }

  bool empty() const noexcept { return categories_.empty() && ignored_.empty(); }
  std::size_t bytes() const noexcept;
  // Of features and values; 0 if all features are numbers.
  std::uint64_t hash() const;

  // The schema of features selected from this one: source[i] is the old index of feature i, or any
  // index out of range if it is new.
  FeatureSchema selected(std::span<const std::size_t> source) const;
  FeatureSchema with_ignored(std::vector<std::string> names) const;

 private:
  std::vector<Category> categories_;  // by feature; all other features are numbers
  std::vector<std::string> ignored_;
};

bool same_values(const Strings& a, const Strings& b);
// The code of a value; nullopt if the list lacks it.
std::optional<std::uint32_t> find_category(const Strings& values, std::string_view value);
// For each code of one list, its code in another; NaN if the other list lacks the value.
std::vector<float> code_map(const Strings& from, const Strings& to);
// A code as an index into a list of `size` values; nullopt for a missing value or one that is not a
// code.
inline std::optional<std::size_t> code_of(float value, std::size_t size) {
  if (!(value >= 0 && value < static_cast<float>(size))) return std::nullopt;
  return static_cast<std::size_t>(value);
}

}  // namespace podium
