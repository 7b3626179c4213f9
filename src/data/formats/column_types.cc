#include "data/formats/column_types.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "core/unpack.h"
#include "podium/error.h"

namespace podium {
namespace {

using SchemaJson = nlohmann::ordered_json;

// "brand, 7" as two names.
std::vector<std::string> split_column_list(std::string_view list, std::string_view option) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    std::string_view name = list.substr(begin, comma - begin);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name.empty())
      throw Error(ErrorCode::usage,
                  fmt::format("{} '{}' has an empty item (write brand,7)", option, list));
    names.emplace_back(name);
    begin = comma + 1;
  }
  return names;
}

const WantedType* find_wanted(const std::vector<WantedType>& wanted, std::string_view column) {
  const auto found = std::find_if(wanted.begin(), wanted.end(),
                                  [&](const WantedType& one) { return one.column == column; });
  return found == wanted.end() ? nullptr : &*found;
}

void add_listed(const std::string& list, FeatureType type, const std::string& option,
                std::vector<WantedType>& wanted) {
  if (list.empty()) return;
  for (std::string& name : split_column_list(list, option)) {
    if (const WantedType* before = find_wanted(wanted, name)) {
      if (before->type == type) continue;
      throw Error(ErrorCode::usage, fmt::format("{} and {} both name the column '{}'",
                                                before->said_by, option, name));
    }
    wanted.push_back({std::move(name), type, option});
  }
}

[[noreturn]] void reject_schema(std::string_view what, const std::string& file) {
  throw Error(ErrorCode::data, fmt::format("bad schema: {}", what), {file});
}

}  // namespace

std::vector<WantedType> types_from_json(std::string_view text, const std::string& file) {
  const SchemaJson json = SchemaJson::parse(text, nullptr, false);
  if (json.is_discarded()) reject_schema("it is not JSON", file);
  if (!json.is_object() || json.size() != 1 || !json.contains("features") ||
      !json["features"].is_object())
    reject_schema("it must have one member, \"features\", with a type for each column", file);
  std::vector<WantedType> wanted;
  for (const auto& [column, value] : json["features"].items()) {
    const auto type =
        value.is_string() ? parse_feature_type(value.get_ref<const std::string&>()) : std::nullopt;
    if (!type)
      reject_schema(
          fmt::format("'{}' is neither \"number\" nor \"category\" nor \"ignored\"", column), file);
    if (column.empty()) reject_schema("a column has no name", file);
    wanted.push_back({column, *type, file});
  }
  return wanted;
}

std::vector<WantedType> wanted_types(const ReadOptions& options) {
  std::vector<WantedType> wanted;
  add_listed(options.categorical, FeatureType::category, "‹categorical›", wanted);
  add_listed(options.ignore, FeatureType::ignored, "‹ignore›", wanted);
  if (!options.schema.empty())
    for (WantedType& one : types_from_json(read_file(options.schema), options.schema))
      if (!find_wanted(wanted, one.column)) wanted.push_back(std::move(one));
  for (const auto& [column, type] : options.expected)
    if (!find_wanted(wanted, column))
      wanted.push_back({column, type, "the model", WantedType::Absent::allowed});
  return wanted;
}

}  // namespace podium
