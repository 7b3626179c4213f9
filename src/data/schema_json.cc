#include "data/schema_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

using TypesJson = nlohmann::ordered_json;

[[noreturn]] void reject_types(const std::string& what) {
  throw Error(ErrorCode::data, "bad schema: " + what);
}

Strings read_category_values(const TypesJson& feature, const std::string& name) {
  if (!feature.contains("values") || !feature["values"].is_array())
    reject_types(fmt::format("'{}' has no list of values", name));
  std::vector<std::string> values;
  for (const TypesJson& value : feature["values"]) {
    if (!value.is_string()) reject_types(fmt::format("a value of '{}' is not a string", name));
    values.push_back(value.get<std::string>());
  }
  return make_strings(values);
}

}  // namespace

std::string schema_to_json(const FeatureSchema& schema, const std::vector<std::string>& features) {
  TypesJson json = TypesJson::object();
  for (const auto& category : schema.categories()) {
    TypesJson& one = json[features[category.feature]] = {{"type", "category"}};
    TypesJson& values = one["values"] = TypesJson::array();
    for (std::size_t i = 0; i < category.values.size(); ++i) values.push_back(category.values[i]);
  }
  for (const std::string& name : schema.ignored()) json[name] = {{"type", "ignored"}};
  try {
    return json.dump();
  } catch (const TypesJson::type_error&) {
    throw Error(ErrorCode::data, "a category or a column is not UTF-8, which a JSON file needs");
  }
}

FeatureSchema schema_from_json(std::string_view text, const std::vector<std::string>& features) {
  const TypesJson json = TypesJson::parse(text, nullptr, false);
  if (!json.is_object()) reject_types("it is not a JSON object");
  std::unordered_map<std::string_view, std::uint32_t> places;
  for (std::size_t f = 0; f < features.size(); ++f)
    places.emplace(features[f], static_cast<std::uint32_t>(f));
  std::vector<FeatureSchema::Category> categories;
  std::vector<std::string> ignored;
  for (const auto& [name, feature] : json.items()) {
    const auto place = places.find(name);
    const std::string type = feature.is_object() ? feature.value("type", TypesJson()).dump() : "";
    if (type == "\"ignored\"") {
      if (place != places.end())
        reject_types(fmt::format("'{}' is ignored, but also a feature", name));
      ignored.push_back(name);
    } else if (type == "\"category\"") {
      if (place == places.end()) reject_types(fmt::format("'{}' is no feature", name));
      categories.push_back({place->second, read_category_values(feature, name)});
    } else {
      reject_types(fmt::format("'{}' is neither a category nor ignored", name));
    }
  }
  std::sort(categories.begin(), categories.end(),
            [](const auto& a, const auto& b) { return a.feature < b.feature; });
  return FeatureSchema(std::move(categories), std::move(ignored));
}

}  // namespace podium
