// Models of the LTR plugins of Elasticsearch and OpenSearch: the body of _createmodel, or a stored
// model as the plugin shows it. Trees are XGBoost's dump (model/xgboost+json) or saved model
// (model/xgboost+json+raw), weights model/linear, and model/ranklib counts the features of the
// model's set from 1 on. Where missing values go depends on the version (`search_engine.h`).
#include <fmt/format.h>

#include "models/importers/importer.h"
#include "models/importers/input_scaling.h"
#include "models/importers/json_part.h"
#include "models/importers/text_lines.h"
#include "models/importers/xgboost_dump.h"

namespace podium {
namespace {

struct PluginModel {
  JsonPart model;                     // type, definition, feature_normalizers
  std::vector<std::string> features;  // of the set, if the file has it
};

PluginModel find_model(const JsonPart& top) {
  const JsonPart outer = top.has("_source") ? top.at("_source").at("model") : top.at("model");
  PluginModel out{outer.at("model"), {}};
  if (outer.has("feature_set") && outer.at("feature_set").has("features"))
    for (const JsonPart& feature : outer.at("feature_set").at("features").items())
      out.features.push_back(feature.at("name").text());
  return out;
}

InputScaling plugin_normalizer(const JsonPart& part) {
  InputScaling scaling;
  const auto single = [](const JsonPart& number) { return static_cast<float>(number.number()); };
  if (part.has("standard")) {
    const JsonPart standard = part.at("standard");
    scaling.offset = single(standard.at("mean"));
    scaling.divisor = single(standard.at("standard_deviation"));
  } else {
    const JsonPart range = part.at("min_max");
    scaling.offset = single(range.at("minimum"));
    scaling.divisor = single(range.at("maximum")) - scaling.offset;
  }
  if (!(scaling.divisor > 0) || !std::isfinite(scaling.divisor))
    part.fail("divides by a number that is not positive");
  return scaling;
}

std::vector<InputScaling> read_normalizers(const JsonPart& model, FeatureNames& names) {
  std::vector<InputScaling> out;
  if (model.has("feature_normalizers"))
    for (const auto& [name, normalizer] : model.at("feature_normalizers").members()) {
      const auto feature = static_cast<std::size_t>(names.number(name));
      if (feature >= out.size()) out.resize(feature + 1);
      out[feature] = plugin_normalizer(normalizer);
    }
  return out;
}

// model/xgboost+json: the trees, or an object with them and the objective.
ImportedModel plugin_trees(const JsonPart& model, MissingRule rule, FeatureNames names) {
  const nlohmann::json json =
      parse_import(model.at("definition").text(), model.file(), "an XGBoost");
  const JsonPart definition(json, model.file(), "definition");
  ImportedModel out;
  if (definition.has("missing_as_zero") && definition.at("missing_as_zero").boolean())
    rule = MissingRule::zero;
  if (definition.has("objective")) {
    out.model.loss = definition.at("objective").text();
    if (out.model.loss == "binary:logistic" || out.model.loss == "reg:logistic")
      out.notes.push_back(fmt::format(
          "the plugin applies the logistic function to the sum of leaves ({}); the imported model "
          "gives the sum itself, which has the same order",
          out.model.loss));
  }
  std::vector<ImportedTree> trees =
      read_dump(definition.is_array() ? definition : definition.at("splits"), rule, names);
  std::vector<InputScaling> scaling = read_normalizers(model, names);
  if (!scaling.empty() && rule == MissingRule::zero)
    model.at("feature_normalizers")
        .fail("are present, and how they treat missing values cannot be imported for this version");
  scaling.resize(names.names().size());
  unscale(trees, scaling);
  if (names.names().empty())
    throw Error(ErrorCode::data, "the model uses no feature", {model.file()});
  out.model.features = names.names();
  out.model.missing = "split";
  out.model.model = forest_of(trees, names.names().size(), 1, model.file());
  return out;
}

ImportedModel plugin_linear(const JsonPart& model, FeatureNames names) {
  const nlohmann::json json = parse_import(model.at("definition").text(), model.file(), "a linear");
  const JsonPart definition(json, model.file(), "definition");
  Linear linear;
  for (const auto& [name, weight] : definition.members()) {
    const auto feature = static_cast<std::size_t>(names.number(name));
    if (feature >= linear.weights.size()) linear.weights.resize(feature + 1);
    linear.weights[feature] = static_cast<double>(static_cast<float>(weight.number()));
  }
  std::vector<InputScaling> scaling = read_normalizers(model, names);
  linear.weights.resize(names.names().size());
  scaling.resize(names.names().size());
  unscale(linear, scaling);
  if (names.names().empty())
    throw Error(ErrorCode::data, "the model has no weights", {model.file()});
  ImportedModel out;
  out.model.features = names.names();
  out.model.model = std::move(linear);
  return out;
}

// RankLib's features are places in the set.
ImportedModel plugin_ranklib(const JsonPart& model, const std::vector<std::string>& features,
                             const ImportOptions& options) {
  if (model.has("feature_normalizers"))
    model.at("feature_normalizers").fail("are not imported with a RankLib model");
  ImportedModel out = import_ranklib(model.at("definition").text(), model.file(), options);
  if (features.empty())
    out.notes.emplace_back("features are numbered by their place in the feature set, from 1 on");
  else if (features.size() < out.model.features.size())
    throw Error(ErrorCode::data,
                fmt::format("the model uses feature {} of a set of {}", out.model.features.size(),
                            features.size()),
                {model.file()});
  else
    std::copy_n(features.begin(), out.model.features.size(), out.model.features.begin());
  return out;
}

ImportedModel plugin_raw(const JsonPart& model, MissingRule rule, const ImportOptions& options) {
  if (rule != MissingRule::split)
    model.at("type").fail("is imported only for versions that send missing values to a branch");
  if (model.has("feature_normalizers"))
    model.at("feature_normalizers").fail("are not imported with a saved XGBoost model");
  ImportedModel out = import_xgboost(model.at("definition").text(), model.file(), options);
  out.notes.emplace_back(
      "the plugin's scores of model/xgboost+json+raw may lack XGBoost's base_score, a constant");
  return out;
}

}  // namespace

ImportedModel import_elasticsearch(std::string_view content, const std::string& file,
                                   const ImportOptions& options) {
  MissingRule rule = MissingRule::split;
  if (!options.target.empty()) {
    const SearchEngine engine = parse_search_engine(options.target);
    if (engine.format != "elasticsearch")
      throw Error(ErrorCode::usage, "‹target›: an Elasticsearch model is not for " + engine.name);
    rule = engine.missing;
  }
  const nlohmann::json json = parse_import(content, file, "an Elasticsearch");
  const PluginModel found = find_model(JsonPart(json, file));
  const JsonPart type = found.model.at("type");
  if (type.text() == "model/linear")
    return plugin_linear(found.model, FeatureNames(found.features));
  if (type.text() == "model/ranklib") return plugin_ranklib(found.model, found.features, options);
  if (type.text() == "model/xgboost+json+raw") return plugin_raw(found.model, rule, options);
  if (type.text() == "model/xgboost+json")
    return plugin_trees(found.model, rule, FeatureNames(found.features));
  type.fail("is none of model/xgboost+json, model/xgboost+json+raw, model/linear, model/ranklib");
}

}  // namespace podium
