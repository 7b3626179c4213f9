// Models of Solr's LTR module: LinearModel, MultipleAdditiveTreesModel and NeuralNetworkModel, with
// the normalizers of their features. Solr works in single precision, adds 10⁻⁶ to thresholds when
// it loads them, gives 0 for a tree that asks for a feature that the model does not list, and takes
// a missing value as 0 unless the model says isNullSameAsZero false.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "models/importers/importer.h"
#include "models/importers/input_scaling.h"
#include "models/importers/json_part.h"

namespace podium {
namespace {

constexpr std::size_t kDeepestSolrTree = 1000;
constexpr float kSolrAddition = 1e-6F;

float single(const JsonPart& part) {
  const auto value = static_cast<float>(part.number_or_text());
  if (!std::isfinite(value)) part.fail("is too large for single precision");
  return value;
}

struct SolrFeatures {
  std::vector<std::string> names;
  std::vector<InputScaling> scaling;
  std::map<std::string, std::int64_t, std::less<>> numbers;
};

InputScaling solr_normalizer(const JsonPart& norm) {
  const std::string& kind = norm.at("class").text();
  const JsonPart params = kind.ends_with("IdentityNormalizer") ? norm : norm.at("params");
  InputScaling scaling;
  if (kind == "org.apache.solr.ltr.norm.StandardNormalizer") {
    scaling.offset = params.has("avg") ? single(params.at("avg")) : 0;
    scaling.divisor = params.has("std") ? single(params.at("std")) : 1;
  } else if (kind == "org.apache.solr.ltr.norm.MinMaxNormalizer") {
    scaling.offset = single(params.at("min"));
    scaling.divisor = single(params.at("max")) - scaling.offset;
  } else if (kind != "org.apache.solr.ltr.norm.IdentityNormalizer") {
    norm.at("class").fail("is not one of Solr's own normalizers");
  }
  if (!(scaling.divisor > 0) || !std::isfinite(scaling.divisor))
    params.fail("divides by a number that is not positive");
  return scaling;
}

SolrFeatures read_solr_features(const JsonPart& part) {
  SolrFeatures out;
  for (const JsonPart& feature : part.items()) {
    const std::string& name = feature.at("name").text();
    out.numbers.emplace(name, static_cast<std::int64_t>(out.names.size()));
    out.names.push_back(name);
    out.scaling.push_back(feature.has("norm") ? solr_normalizer(feature.at("norm"))
                                              : InputScaling());
  }
  if (out.names.empty()) part.fail("is empty");
  return out;
}

class SolrTreeReader {
 public:
  SolrTreeReader(const SolrFeatures& features, MissingRule rule)
      : features_(features), rule_(rule) {}

  ImportedTree read(const JsonPart& tree) {
    tree_.clear();
    weight_ = static_cast<double>(single(tree.at("weight")));
    append(tree.at("root"), 0);
    return std::move(tree_);
  }

 private:
  std::size_t append(const JsonPart& node, std::size_t depth) {
    if (depth > kDeepestSolrTree)
      node.fail(fmt::format("is deeper than {} splits", kDeepestSolrTree));
    const std::size_t place = tree_.size();
    tree_.emplace_back();
    if (!node.has("feature")) {
      tree_[place].value =
          node.has("value") ? static_cast<double>(single(node.at("value"))) * weight_ : 0;
      return place;
    }
    const auto feature = features_.numbers.find(node.at("feature").text());
    if (feature == features_.numbers.end()) return place;  // 0
    const float threshold = single(node.at("threshold")) + kSolrAddition;
    const auto missing = missing_side(node, threshold, feature->second);
    const std::size_t left = append(node.at("left"), depth + 1);
    const std::size_t right = append(node.at("right"), depth + 1);
    tree_[place] = to_node({feature->second, ImportedSplit::Test::at_most,
                            static_cast<double>(threshold), left, right, missing},
                           {node.file()});
    return place;
  }

  ImportedSplit::Missing missing_side(const JsonPart& node, float threshold,
                                      std::int64_t feature) const {
    const float zero = features_.scaling[static_cast<std::size_t>(feature)].of(0);
    if (rule_ == MissingRule::zero)
      return zero <= threshold ? ImportedSplit::Missing::yes : ImportedSplit::Missing::no;
    return node.has("missing") && node.at("missing").text() == "left" ? ImportedSplit::Missing::yes
                                                                      : ImportedSplit::Missing::no;
  }

  const SolrFeatures& features_;
  MissingRule rule_;
  ImportedTree tree_;
  double weight_ = 1;
};

Forest solr_trees(const JsonPart& params, const SolrFeatures& features) {
  const bool has_nulls = params.has("isNullSameAsZero") && !params.at("isNullSameAsZero").boolean();
  SolrTreeReader reader(features, has_nulls ? MissingRule::split : MissingRule::zero);
  std::vector<ImportedTree> trees;
  for (const JsonPart& tree : params.at("trees").items()) trees.push_back(reader.read(tree));
  unscale(trees, features.scaling);
  return forest_of(trees, features.names.size(), 1, params.file());
}

Linear solr_weights(const JsonPart& params, const SolrFeatures& features) {
  const JsonPart weights = params.at("weights");
  Linear linear;
  for (const std::string& name : features.names) {
    if (!weights.has(name)) weights.fail(fmt::format("has no weight for '{}'", name));
    linear.weights.push_back(static_cast<double>(single(weights.at(name))));
  }
  unscale(linear, features.scaling);
  return linear;
}

Mlp::Layer solr_layer(const JsonPart& part, std::size_t inputs) {
  Mlp::Layer layer;
  for (const JsonPart& row : part.at("matrix").items()) {
    std::vector<float>& weights = layer.weights.emplace_back();
    for (const double weight : row.numbers()) weights.push_back(static_cast<float>(weight));
    if (weights.size() != inputs)
      row.fail(fmt::format("has {} weights for {} inputs", weights.size(), inputs));
  }
  for (const double bias : part.at("bias").numbers())
    layer.bias.push_back(static_cast<float>(bias));
  if (layer.bias.empty() || layer.bias.size() != layer.weights.size())
    part.at("bias").fail(
        fmt::format("has {} numbers for {} rows", layer.bias.size(), layer.weights.size()));
  return layer;
}

Mlp solr_network(const JsonPart& params, const SolrFeatures& features) {
  Mlp mlp;
  for (const InputScaling& scaling : features.scaling) {
    mlp.mean.push_back(scaling.offset);
    mlp.scale.push_back(scaling.divisor);
  }
  const std::vector<JsonPart> layers = params.at("layers").items();
  if (layers.empty()) params.at("layers").fail("is empty");
  for (std::size_t l = 0; l < layers.size(); ++l) {
    mlp.layers.push_back(
        solr_layer(layers[l], l == 0 ? features.names.size() : mlp.layers.back().bias.size()));
    const JsonPart activation = layers[l].at("activation");
    const std::string& name = activation.text();
    if (l + 1 == layers.size()) {
      if (name != "identity" || mlp.layers.back().bias.size() != 1)
        activation.fail("of the last layer is not identity with one output");
    } else if (name != "tanh" && name != "relu") {
      activation.fail("is not tanh or relu, the ones that Podium's networks have");
    } else if (l > 0 && name != layers[0].at("activation").text()) {
      activation.fail("differs between layers, and Podium's networks have one");
    } else {
      mlp.activation = name == "tanh" ? Mlp::Activation::tanh : Mlp::Activation::relu;
    }
  }
  return mlp;
}

}  // namespace

ImportedModel import_solr(std::string_view content, const std::string& file,
                          const ImportOptions& options) {
  const nlohmann::json json = parse_import(content, file, "a Solr");
  const JsonPart top(json, file);
  const std::string& kind = top.at("class").text();
  const SolrFeatures features = read_solr_features(top.at("features"));
  ImportedModel out;
  out.model.features = features.names;
  const JsonPart params = top.at("params");
  if (kind == "org.apache.solr.ltr.model.LinearModel") {
    out.model.model = solr_weights(params, features);
  } else if (kind == "org.apache.solr.ltr.model.MultipleAdditiveTreesModel") {
    out.model.missing = "split";
    out.model.model = solr_trees(params, features);
  } else if (kind == "org.apache.solr.ltr.model.NeuralNetworkModel") {
    out.model.missing = "mean";
    out.model.model = solr_network(params, features);
    for (const InputScaling& scaling : features.scaling)
      if (scaling.offset != 0) {
        out.notes.emplace_back(
            "Solr takes a missing value as 0, the imported network as the normalizer's mean");
        break;
      }
  } else {
    top.at("class").fail(
        "is none of Solr's LinearModel, MultipleAdditiveTreesModel and NeuralNetworkModel");
  }
  if (!options.target.empty() && parse_search_engine(options.target).format != "solr")
    throw Error(ErrorCode::usage, "‹target›: a Solr model is not for " + options.target);
  return out;
}

}  // namespace podium
