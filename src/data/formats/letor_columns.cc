#include "data/formats/letor_columns.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "data/without_features.h"
#include "podium/error.h"

namespace podium {

std::vector<LetorColumn> letor_columns(const ReadOptions& options) {
  std::vector<LetorColumn> columns;
  for (WantedType& wanted : wanted_types(options)) {
    const std::string& text = wanted.column;
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool is_id = error == std::errc() && end == text.data() + text.size() &&
                       id >= options.first_feature &&
                       id - options.first_feature < options.max_features;
    if (is_id)
      columns.push_back({static_cast<std::uint32_t>(id - options.first_feature), wanted});
    else if (wanted.absent == WantedType::Absent::refused)
      throw Error(ErrorCode::usage,
                  fmt::format("{} names '{}', but features of LETOR text have numbers from {}",
                              wanted.said_by, text, options.first_feature));
  }
  return columns;
}

std::vector<std::uint32_t> category_columns(const std::vector<LetorColumn>& columns) {
  std::vector<std::uint32_t> categories;
  for (const LetorColumn& one : columns)
    if (one.wanted.type == FeatureType::category) categories.push_back(one.column);
  std::sort(categories.begin(), categories.end());
  categories.erase(std::unique(categories.begin(), categories.end()), categories.end());
  return categories;
}

Dataset without_ignored(const std::vector<LetorColumn>& columns, const Dataset& data,
                        const std::string& file, Context& context) {
  std::vector<std::string> ignored;
  for (const LetorColumn& one : columns) {
    if (one.column >= data.features()) {
      if (one.wanted.absent == WantedType::Absent::allowed) continue;
      const std::string last =
          data.features() == 0 ? "there is none" : "the last one is " + data.feature_names().back();
      throw Error(ErrorCode::data,
                  fmt::format("no row has the feature {}, which {} names; {}", one.wanted.column,
                              one.wanted.said_by, last),
                  {file});
    }
    if (one.wanted.type == FeatureType::ignored)
      ignored.push_back(data.feature_names()[one.column]);
  }
  return without_features(data, ignored, file, context);
}

}  // namespace podium
