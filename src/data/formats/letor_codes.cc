#include "data/formats/letor_codes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace podium {
namespace {

// The values as numbers; empty if one is not a code that LETOR text can represent.
std::vector<float> numbers_of(const Strings& values) {
  std::vector<float> numbers;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view text = values[i];
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number >= kMostCategories ||
        text != std::to_string(number))
      return {};
    numbers.push_back(static_cast<float>(number));
  }
  return numbers;
}

}  // namespace

LetorCodes::LetorCodes(const Dataset& data) {
  for (const auto& category : data.schema().categories()) {
    columns_.push_back({category.feature, numbers_of(category.values)});
    const std::vector<float>& numbers = columns_.back().numbers;
    if (!std::isnan(data.parts().absent) && !numbers.empty() && numbers.front() != 0)
      never_absent_.push_back(category.feature);
  }
}

float LetorCodes::written(std::size_t feature, float value) const {
  if (columns_.empty()) return value;
  const auto found =
      std::lower_bound(columns_.begin(), columns_.end(), feature,
                       [](const Column& column, std::size_t f) { return column.feature < f; });
  if (found == columns_.end() || found->feature != feature) return value;
  const auto code = code_of(value, found->numbers.size());
  return code ? found->numbers[*code] : value;
}

void LetorCodes::note(const std::string& path, std::span<const std::uint32_t> ids,
                      Observer& observer) const {
  if (columns_.empty()) return;
  std::vector<std::uint32_t> all, coded;
  for (const Column& column : columns_) {
    all.push_back(ids[column.feature]);
    if (column.numbers.empty()) coded.push_back(ids[column.feature]);
  }
  observer.note(fmt::format("{}: read it with ‹categorical {}›", path, fmt::join(all, ",")));
  if (!coded.empty())
    observer.note(
        fmt::format("{}: LETOR text has no names for the categories of feature {}; they are "
                    "numbered from 0 (CSV and .podium keep them)",
                    path, fmt::join(coded, ", ")));
}

}  // namespace podium
