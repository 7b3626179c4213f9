// The JSON form of a Transform:
//   {"format":"podium-transform","version":1,"features":["1","2"],"log1p":false,
//    "normalize":"query-minmax","thresholds":[[0.25,0.5],[]]}
// and, where there are categories or ignored columns, "schema" as in schema_json.h; where labels
// become grades, "label_edges":[3,17]; where missing values are replaced, "impute":"mean",
// "fills":[0.5,2] and "indicators":[0], the places of features; where categories are encoded,
// "encodings":[{"feature":3,"kind":"target","statistics":[0.1,-0.2]}]. Numbers are written with the
// fewest digits that read back as the same float.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include <fmt/format.h>

#include "core/output_file.h"
#include "core/unpack.h"
#include "data/schema_json.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "podium-transform";
constexpr int kVersion = 1;

// A double that prints with as few digits as the float and rounds to it.
double short_double(float x) {
  const std::string digits = fmt::format("{}", x);
  double decimal = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), decimal);
  return static_cast<float>(decimal) == x ? decimal : static_cast<double>(x);
}

Json short_doubles(const std::vector<float>& values) {
  Json list = Json::array();
  for (const float x : values) list.push_back(short_double(x));
  return list;
}

class Parser {
 public:
  explicit Parser(const std::string& file) : file_(file) {}

  Transform parse(std::string_view text) const {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) reject("is not JSON");
    if (!json.is_object()) reject("is not a JSON object");
    check_keys(json);
    Transform transform;
    if (json.contains("features")) transform.features = features(json["features"]);
    if (json.contains("log1p")) {
      if (!json["log1p"].is_boolean()) reject("\"log1p\" is not true or false");
      transform.log1p = json["log1p"].get<bool>();
    }
    if (json.contains("normalize")) transform.normalization = normalization(json["normalize"]);
    if (json.contains("thresholds")) transform.thresholds = thresholds(json["thresholds"]);
    if (json.contains("schema")) transform.schema = schema(json["schema"], transform.features);
    if (json.contains("label_edges"))
      transform.label_edges = ascending(json["label_edges"], "label_edges");
    if (json.contains("impute")) read_imputation(json, transform);
    if (json.contains("encodings")) transform.encodings = encodings(json["encodings"]);
    if (!transform.thresholds.empty() && !transform.features.empty() &&
        transform.thresholds.size() != transform.features.size())
      reject(fmt::format("\"thresholds\" has {} lists for {} features", transform.thresholds.size(),
                         transform.features.size()));
    return transform;
  }

 private:
  [[noreturn]] void reject(std::string_view what) const {
    throw Error(ErrorCode::data, fmt::format("bad transform: {}", what), {file_});
  }

  void check_keys(const Json& json) const {
    static const std::vector<std::string> known = {
        "format", "version",     "features", "log1p", "normalize",  "thresholds",
        "schema", "label_edges", "impute",   "fills", "indicators", "encodings"};
    for (const auto& [key, value] : json.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        reject(fmt::format("unknown key \"{}\"{}", key, suggestion(key, known)));
    if (!json.contains("format") || json["format"] != kFormat)
      reject(fmt::format("\"format\" is not \"{}\"", kFormat));
    if (!json.contains("version") || !json["version"].is_number_integer() || json["version"] < 1)
      reject("\"version\" is not a number from 1");
    if (json["version"] > kVersion)
      reject(fmt::format("version {} is newer than this program (it knows {})",
                         json["version"].dump(), kVersion));
  }

  std::vector<std::string> features(const Json& json) const {
    if (!json.is_array()) reject("\"features\" is not a list of names");
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    for (const Json& name : json) {
      if (!name.is_string() || name.get_ref<const std::string&>().empty())
        reject("\"features\" has an entry that is not a name");
      names.push_back(name.get<std::string>());
      if (!seen.insert(names.back()).second)
        reject(fmt::format("feature \"{}\" is named twice", names.back()));
    }
    return names;
  }

  FeatureSchema schema(const Json& json, const std::vector<std::string>& features) const {
    try {
      return schema_from_json(json.dump(), features);
    } catch (const Error& error) {
      throw Error(error.code(), error.message(), {file_});
    }
  }

  Normalization normalization(const Json& json) const {
    const auto& known = normalization_names();
    if (!json.is_string() ||
        std::find(known.begin(), known.end(), json.get_ref<const std::string&>()) == known.end())
      reject(fmt::format("\"normalize\" is not one of {}", fmt::join(known, ", ")));
    return parse_normalization(json.get_ref<const std::string&>());
  }

  std::vector<std::vector<float>> thresholds(const Json& json) const {
    if (!json.is_array()) reject("\"thresholds\" is not a list of lists");
    std::vector<std::vector<float>> all;
    for (const Json& list : json) {
      if (!list.is_array()) reject("\"thresholds\" is not a list of lists");
      all.push_back(ascending(list, "thresholds"));
    }
    return all;
  }

  std::vector<float> numbers(const Json& list, std::string_view key) const {
    if (!list.is_array()) reject(fmt::format("\"{}\" is not a list", key));
    std::vector<float> all;
    for (const Json& number : list) {
      if (!number.is_number()) reject(fmt::format("\"{}\" has an entry that is not a number", key));
      all.push_back(static_cast<float>(number.get<double>()));
      if (!std::isfinite(all.back()))
        reject(fmt::format("\"{}\" has a number that is too large", key));
    }
    return all;
  }

  // A feature's place, larger than the one before it.
  std::uint32_t place(const Json& json, std::string_view key, std::int64_t previous) const {
    if (!json.is_number_integer() || json.get<double>() < 0 || json.get<double>() > 4e9)
      reject(fmt::format("\"{}\" has a feature that is not a number from 0", key));
    if (json.get<std::int64_t>() <= previous)
      reject(fmt::format("\"{}\" is not in ascending order", key));
    return json.get<std::uint32_t>();
  }

  void read_imputation(const Json& json, Transform& transform) const {
    const auto rule =
        json["impute"].is_string()
            ? choice_named(imputation_choices(), json["impute"].get_ref<const std::string&>())
            : std::nullopt;
    if (!rule || *rule == Imputation::automatic || *rule == Imputation::none)
      reject("\"impute\" is not a rule for missing values");
    transform.imputation = *rule;
    if (!json.contains("fills")) reject("\"impute\" needs \"fills\"");
    transform.fills = numbers(json["fills"], "fills");
    if (!json.contains("indicators")) return;
    if (!json["indicators"].is_array()) reject("\"indicators\" is not a list");
    std::int64_t previous = -1;
    for (const Json& one : json["indicators"]) {
      transform.indicators.push_back(place(one, "indicators", previous));
      previous = transform.indicators.back();
      if (transform.indicators.back() >= transform.fills.size())
        reject("\"indicators\" has a feature without a fill");
    }
  }

  std::vector<CategoryEncoding> encodings(const Json& json) const {
    if (!json.is_array()) reject("\"encodings\" is not a list");
    std::vector<CategoryEncoding> all;
    std::int64_t previous = -1;
    for (const Json& one : json) {
      if (!one.is_object() || !one.contains("feature") || !one.contains("kind"))
        reject("\"encodings\" has an entry without \"feature\" and \"kind\"");
      CategoryEncoding& encoding = all.emplace_back();
      encoding.feature = place(one["feature"], "encodings", previous);
      previous = encoding.feature;
      const auto kind =
          one["kind"].is_string()
              ? choice_named(encoding_choices(), one["kind"].get_ref<const std::string&>())
              : std::nullopt;
      if (!kind || *kind == Encoding::automatic)
        reject("\"encodings\" has a kind that is not target, one-hot or hash");
      encoding.kind = *kind;
      if (*kind == Encoding::target) {
        if (!one.contains("statistics")) reject("\"encodings\" has no \"statistics\"");
        encoding.statistics = numbers(one["statistics"], "statistics");
      }
    }
    return all;
  }

  std::vector<float> ascending(const Json& list, std::string_view key) const {
    std::vector<float> cuts = numbers(list, key);
    if (std::adjacent_find(cuts.begin(), cuts.end(), std::greater_equal<>()) != cuts.end())
      reject(fmt::format("\"{}\" is not in ascending order", key));
    return cuts;
  }

  const std::string& file_;
};

}  // namespace

std::string to_json(const Transform& transform) {
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"features", transform.features},
               {"log1p", transform.log1p},
               {"normalize", to_text(transform.normalization)}};
  Json& thresholds = json["thresholds"] = Json::array();
  for (const auto& cuts : transform.thresholds) {
    Json& list = thresholds.emplace_back(Json::array());
    for (const float cut : cuts) list.push_back(short_double(cut));
  }
  for (const float edge : transform.label_edges) json["label_edges"].push_back(short_double(edge));
  if (transform.imputation != Imputation::none) {
    json["impute"] = to_text(transform.imputation);
    json["fills"] = short_doubles(transform.fills);
    json["indicators"] = transform.indicators;
  }
  for (const CategoryEncoding& encoding : transform.encodings) {
    Json& one = json["encodings"].emplace_back(
        Json{{"feature", encoding.feature}, {"kind", to_text(encoding.kind)}});
    if (encoding.kind == Encoding::target) one["statistics"] = short_doubles(encoding.statistics);
  }
  if (!transform.schema.empty())
    json["schema"] = Json::parse(schema_to_json(transform.schema, transform.features));
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    throw Error(ErrorCode::data, "a feature name is not UTF-8, which a JSON file needs");
  }
}

Transform transform_from_json(std::string_view json, const std::string& file) {
  return Parser(file).parse(json);
}

void save_transform(const Transform& transform, const std::string& path) {
  write_file(path, to_json(transform) + "\n");
}

Transform load_transform(const std::string& path) {
  return transform_from_json(read_file(path), path);
}

}  // namespace podium
