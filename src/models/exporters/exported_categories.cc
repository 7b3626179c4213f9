#include "models/exporters/exported_categories.h"

#include <charconv>
#include <limits>
#include <numeric>
#include <optional>

namespace podium {
namespace {

constexpr std::uint32_t kLargestNumber = 65535;

std::optional<std::uint32_t> small_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > kLargestNumber ||
      (text.size() > 1 && text[0] == '0'))
    return {};
  return number;
}

// The values as numbers; empty if one is none.
std::vector<std::uint32_t> own_numbers(const Strings& values) {
  std::vector<std::uint32_t> out;
  for (std::size_t code = 0; code < values.size(); ++code) {
    const auto number = small_number(values[code]);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

}  // namespace

ExportedCategories::ExportedCategories(const FeatureSchema& schema, std::size_t features) {
  if (schema.all_numbers()) return;
  number_of.resize(features);
  numbers = Numbers::values;
  for (const auto& category : schema.categories()) {
    number_of[category.feature] = own_numbers(category.values);
    if (number_of[category.feature].empty()) numbers = Numbers::codes;
  }
  if (numbers == Numbers::values) return;
  for (const auto& category : schema.categories()) {
    number_of[category.feature].resize(category.values.size());
    std::iota(number_of[category.feature].begin(), number_of[category.feature].end(), 0U);
  }
}

float ExportedCategories::operator()(std::size_t feature, float code) const {
  const auto known = code_of(code, number_of[feature].size());
  return known ? static_cast<float>(number_of[feature][*known])
               : std::numeric_limits<float>::quiet_NaN();
}

void ExportedCategories::renumber(Forest& forest) const {
  for (Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.categories.size(); ++n)
      for (std::uint32_t& code : tree.categories[n]) code = number_of[tree.nodes[n].feature][code];
}

}  // namespace podium
