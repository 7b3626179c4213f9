// The arithmetic of Solr's LTR module, single precision throughout: linear models, trees (left
// where x ≤ threshold + 10⁻⁶), and networks after their features' normalizers. An absent value is
// 0, or goes to the node's side for it in trees with isNullSameAsZero false.
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"

namespace podium {
namespace {

using ForeignJson = nlohmann::json;

constexpr float kSlack = 1e-6F;

// Numbers may be strings.
float number(const ForeignJson& json) {
  return json.is_string() ? std::strtof(json.get_ref<const std::string&>().c_str(), nullptr)
                          : json.get<float>();
}

struct Feature {
  std::size_t place;
  bool standardised = false;
  float mean = 0, deviation = 1;
};

std::vector<Feature> read_features(const ForeignJson& json, std::span<const std::string> names) {
  std::vector<Feature> out;
  for (const ForeignJson& feature : json) {
    Feature& read = out.emplace_back();
    read.place = static_cast<std::size_t>(find_name(names, feature.at("name").get<std::string>()));
    if (!feature.contains("norm")) continue;
    const ForeignJson& norm = feature.at("norm");
    if (norm.at("class") != "org.apache.solr.ltr.norm.StandardNormalizer")
      fail_foreign("it has an unknown normalizer");
    read.standardised = true;
    read.mean = number(norm.at("params").at("avg"));
    read.deviation = number(norm.at("params").at("std"));
    if (!(read.deviation > 0)) fail_foreign("Solr refuses a deviation that is not positive");
  }
  return out;
}

class SolrModel : public ForeignModel {
 public:
  enum class Nulls { zero, kept };
  explicit SolrModel(std::vector<Feature> features, Nulls nulls = Nulls::zero)
      : features_(std::move(features)), nulls_(nulls) {}
  Precision precision() const noexcept override { return Precision::single; }

 protected:
  std::vector<float> inputs(std::span<const float> document) const {
    std::vector<float> out;
    for (const Feature& feature : features_) {
      const float x = document[feature.place];
      const float known = x != x && nulls_ == Nulls::zero ? 0.0F : x;
      out.push_back(feature.standardised ? (known - feature.mean) / feature.deviation : known);
    }
    return out;
  }

 private:
  std::vector<Feature> features_;
  Nulls nulls_;
};

class SolrLinear final : public SolrModel {
 public:
  SolrLinear(std::vector<Feature> features, std::vector<float> weights)
      : SolrModel(std::move(features)), weights_(std::move(weights)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    const std::vector<float> x = inputs(features);
    float sum = 0;
    for (std::size_t f = 0; f < x.size(); ++f) sum += x[f] * weights_[f];
    return sum;
  }

 private:
  std::vector<float> weights_;
};

class SolrTrees final : public SolrModel {
 public:
  SolrTrees(std::vector<Feature> features, std::vector<ForeignTree> trees,
            std::vector<float> weights, Nulls nulls)
      : SolrModel(std::move(features), nulls),
        trees_(std::move(trees)),
        weights_(std::move(weights)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    const std::vector<float> x = inputs(features);
    float sum = 0;
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const auto value = static_cast<float>(value_of(trees_[t], x, [](float v, double threshold) {
        return v <= static_cast<float>(threshold) + kSlack;
      }));
      tree_values.push_back(static_cast<double>(value) * weights_[t]);
      sum += value * weights_[t];
    }
    return sum;
  }

 private:
  std::vector<ForeignTree> trees_;
  std::vector<float> weights_;
};

struct SolrLayer {
  std::vector<std::vector<float>> matrix;
  std::vector<float> bias;
  float (*activation)(float);
};

class SolrNetwork final : public SolrModel {
 public:
  SolrNetwork(std::vector<Feature> features, std::vector<SolrLayer> layers)
      : SolrModel(std::move(features)), layers_(std::move(layers)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    std::vector<float> values = inputs(features);
    for (const SolrLayer& layer : layers_) {
      std::vector<float> next;
      for (std::size_t o = 0; o < layer.bias.size(); ++o) {
        float sum = layer.bias[o];
        for (std::size_t i = 0; i < values.size(); ++i) sum += layer.matrix[o][i] * values[i];
        next.push_back(layer.activation(sum));
      }
      values = std::move(next);
    }
    return values.at(0);
  }

 private:
  std::vector<SolrLayer> layers_;
};

// Solr looks at `missing` only where there are nulls, and fails where it is absent then.
ForeignNode::Missing solr_missing(const ForeignJson& node, SolrModel::Nulls nulls) {
  if (nulls == SolrModel::Nulls::zero) return ForeignNode::Missing::compare;
  return node.at("missing").get<std::string>() == "left" ? ForeignNode::Missing::left
                                                         : ForeignNode::Missing::right;
}

std::size_t read_node(const ForeignJson& json, const std::vector<std::string>& listed,
                      SolrModel::Nulls nulls, ForeignTree& tree) {
  const std::size_t at = tree.size();
  tree.emplace_back();
  if (json.contains("value")) {
    tree[at].value = static_cast<double>(number(json.at("value")));
    return at;
  }
  const std::int64_t feature = find_name(listed, json.at("feature").get<std::string>());
  const std::size_t left = read_node(json.at("left"), listed, nulls, tree);
  const std::size_t right = read_node(json.at("right"), listed, nulls, tree);
  tree[at] = {feature,
              static_cast<double>(number(json.at("threshold"))),
              left,
              right,
              solr_missing(json, nulls),
              0};
  return at;
}

float (*activation_of(const std::string& name))(float) {
  if (name == "identity") return [](float x) { return x; };
  if (name == "relu") return [](float x) { return x > 0 ? x : 0.0F; };
  if (name == "tanh") return [](float x) { return static_cast<float>(math::tanh(double{x})); };
  fail_foreign("it has the unknown activation " + name);
}

SolrLayer read_layer(const ForeignJson& json, std::size_t inputs) {
  SolrLayer layer;
  for (const ForeignJson& row : json.at("matrix")) {
    std::vector<float>& weights = layer.matrix.emplace_back();
    for (const ForeignJson& weight : row) {
      if (!weight.is_number_float()) fail_foreign("Solr casts weights to Double: 1.0, not 1");
      weights.push_back(weight.get<float>());
    }
    if (weights.size() != inputs) fail_foreign("a layer's matrix has the wrong width");
  }
  for (const ForeignJson& bias : json.at("bias")) layer.bias.push_back(bias.get<float>());
  if (layer.bias.size() != layer.matrix.size()) fail_foreign("a layer's biases do not fit");
  layer.activation = activation_of(json.at("activation").get<std::string>());
  return layer;
}

}  // namespace

std::unique_ptr<const ForeignModel> read_solr(std::string_view content,
                                              std::span<const std::string> names) {
  const ForeignJson json = parse_foreign(content);
  try {
    const std::string kind = json.at("class").get<std::string>();
    std::vector<Feature> features = read_features(json.at("features"), names);
    std::vector<std::string> listed;
    for (const Feature& feature : features) listed.push_back(names[feature.place]);
    const ForeignJson& params = json.at("params");
    std::vector<float> weights;
    if (kind == "org.apache.solr.ltr.model.LinearModel") {
      for (const std::string& name : listed)
        weights.push_back(number(params.at("weights").at(name)));
      return std::make_unique<SolrLinear>(std::move(features), std::move(weights));
    }
    if (kind == "org.apache.solr.ltr.model.MultipleAdditiveTreesModel") {
      std::vector<ForeignTree> trees;
      const bool are_zero = params.value("isNullSameAsZero", true);
      const auto nulls = are_zero ? SolrModel::Nulls::zero : SolrModel::Nulls::kept;
      for (const ForeignJson& tree : params.at("trees")) {
        weights.push_back(number(tree.at("weight")));
        trees.emplace_back();
        read_node(tree.at("root"), listed, nulls, trees.back());
      }
      return std::make_unique<SolrTrees>(std::move(features), std::move(trees), std::move(weights),
                                         nulls);
    }
    if (kind != "org.apache.solr.ltr.model.NeuralNetworkModel")
      fail_foreign("it has the unknown class " + kind);
    std::vector<SolrLayer> layers;
    std::size_t width = features.size();
    for (const ForeignJson& layer : params.at("layers")) {
      layers.push_back(read_layer(layer, width));
      width = layers.back().bias.size();
    }
    if (width != 1) fail_foreign("its last layer does not have one output");
    return std::make_unique<SolrNetwork>(std::move(features), std::move(layers));
  } catch (const ForeignJson::exception& error) {
    fail_foreign(error.what());
  }
}

}  // namespace podium
