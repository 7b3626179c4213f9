#include "podium/feature_schema.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <xxhash.h>

#include "podium/error.h"

namespace podium {
namespace {

// "0", "7", "120", but not "007".
bool is_plain_number(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit) &&
         (text[0] != '0' || text.size() == 1);
}

void check_values(const Strings& values) {
  if (values.size() > kMostCategories)
    throw Error(ErrorCode::data, fmt::format("a feature has {} categories, but at most {} can be "
                                             "told apart",
                                             values.size(), kMostCategories));
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!category_precedes(values[i - 1], values[i]))
      throw Error(ErrorCode::data, "the values of a category are not in order");
}

std::span<const FeatureSchema::Category>::iterator find_feature(
    std::span<const FeatureSchema::Category> categories, std::size_t feature) {
  return std::lower_bound(
      categories.begin(), categories.end(), feature,
      [](const FeatureSchema::Category& c, std::size_t f) { return c.feature < f; });
}

}  // namespace

std::string_view to_text(FeatureType type) {
  switch (type) {
    case FeatureType::number:
      return "number";
    case FeatureType::category:
      return "category";
    case FeatureType::ignored:
      return "ignored";
  }
  return {};
}

std::optional<FeatureType> parse_feature_type(std::string_view name) {
  for (const FeatureType type : {FeatureType::number, FeatureType::category, FeatureType::ignored})
    if (to_text(type) == name) return type;
  return std::nullopt;
}

bool category_precedes(std::string_view a, std::string_view b) {
  const bool a_counts = is_plain_number(a), b_counts = is_plain_number(b);
  if (a_counts != b_counts) return a_counts;
  if (a_counts && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

FeatureSchema::FeatureSchema(std::vector<Category> categories, std::vector<std::string> ignored)
    : categories_(std::move(categories)), ignored_(std::move(ignored)) {
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    if (i > 0 && categories_[i - 1].feature >= categories_[i].feature)
      throw Error(ErrorCode::data, "the features that are categories are not in order");
    check_values(categories_[i].values);
  }
}

const Strings* FeatureSchema::values(std::size_t feature) const {
  const auto found = find_feature(categories_, feature);
  const bool is_there = found != categories().end() && found->feature == feature;
  return is_there ? &found->values : nullptr;
}

std::size_t FeatureSchema::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Category& category : categories_) {
    const auto begin = category.values.begin.view();
    sum += begin.size_bytes() + (begin.empty() ? 0 : begin.back() - begin.front());
  }
  return sum;
}

std::uint64_t FeatureSchema::hash() const {
  std::uint64_t hash = 0;
  for (const Category& category : categories_) {
    hash = XXH3_64bits_withSeed(&category.feature, sizeof(category.feature), hash);
    for (std::size_t i = 0; i < category.values.size(); ++i) {
      const std::string_view value = category.values[i];
      hash = XXH3_64bits_withSeed(value.data(), value.size(), hash);
    }
  }
  return hash;
}

FeatureSchema FeatureSchema::selected(std::span<const std::size_t> source) const {
  if (categories_.empty()) return *this;
  FeatureSchema chosen;
  chosen.ignored_ = ignored_;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (const Strings* of_feature = values(source[i]))
      chosen.categories_.push_back({static_cast<std::uint32_t>(i), *of_feature});
  return chosen;
}

FeatureSchema FeatureSchema::with_ignored(std::vector<std::string> names) const {
  FeatureSchema changed = *this;
  changed.ignored_ = std::move(names);
  return changed;
}

bool same_values(const Strings& a, const Strings& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

std::optional<std::uint32_t> find_category(const Strings& values, std::string_view value) {
  std::size_t low = 0, high = values.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (category_precedes(values[middle], value))
      low = middle + 1;
    else
      high = middle;
  }
  if (low == values.size() || values[low] != value) return std::nullopt;
  return static_cast<std::uint32_t>(low);
}

std::vector<float> code_map(const Strings& from, const Strings& to) {
  std::vector<float> map(from.size(), std::numeric_limits<float>::quiet_NaN());
  std::size_t code = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    while (code < to.size() && category_precedes(to[code], from[i])) ++code;
    if (code < to.size() && to[code] == from[i]) map[i] = static_cast<float>(code);
  }
  return map;
}

}  // namespace podium
