// Models of Solr's LTR module. All arithmetic there is single precision, and Solr adds 10⁻⁶ to the
// thresholds of trees when it loads them. Standardisation of a perceptron's inputs becomes Solr's
// StandardNormalizer, which requires a positive deviation: a constant input gets weights 0 instead.
// Since 9.2 trees have sides for missing values, of which earlier versions refuse to read.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/thresholds.h"

namespace podium {
namespace {

// Thresholds that cannot be represented because Solr adds 10⁻⁶.
struct Misses {
  std::size_t count = 0;
  double furthest = 0;
};

std::string solr_node(const ExportTask& task, const Tree& tree, std::int32_t at, Misses& misses) {
  if (at < 0)
    return fmt::format(R"({{"value":"{}"}})",
                       real_text(static_cast<float>(tree.values[static_cast<std::size_t>(~at)])));
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
  const float written = solr_threshold(node.threshold);
  if (const float effective = solr_effective(written); effective != node.threshold) {
    ++misses.count;
    misses.furthest =
        std::max(misses.furthest, std::abs(static_cast<double>(effective) - node.threshold));
  }
  const std::string_view missing = !task.can.missing ? ""
                                   : node.missing == Tree::Node::Missing::left
                                       ? R"("missing":"left",)"
                                       : R"("missing":"right",)";
  const std::string left = solr_node(task, tree, node.left, misses);
  return fmt::format(R"({{"feature":{},"threshold":"{}",{}"left":{},"right":{}}})",
                     json_text(task.features()[node.feature]), real_text(written), missing, left,
                     solr_node(task, tree, node.right, misses));
}

std::string model_text(const ExportTask& task, std::string_view kind, const std::string& features,
                       const std::string& params) {
  return fmt::format(
      "{{\"class\":\"org.apache.solr.ltr.model.{}\",\n\"name\":{},\n\"features\":[{}],\n\"params\":"
      "{{{}}}}}\n",
      kind, json_text(task.options.name), features, params);
}

std::string plain_features(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names)
    out += fmt::format("{}{{\"name\":{}}}", out.empty() ? "" : ",", json_text(name));
  return out;
}

std::string standardised_features(const std::vector<std::string>& names, const Mlp& mlp) {
  std::string out;
  for (std::size_t f = 0; f < names.size(); ++f) {
    out += fmt::format("{}{{\"name\":{}", f > 0 ? "," : "", json_text(names[f]));
    if (mlp.scale[f] > 0)
      out += fmt::format(R"(,"norm":{{"class":"org.apache.solr.ltr.norm.StandardNormalizer",)"
                         R"("params":{{"avg":"{}","std":"{}"}}}})",
                         real_text(mlp.mean[f]), real_text(mlp.scale[f]));
    out += "}";
  }
  return out;
}

std::string layer_text(const Mlp::Layer& layer, std::string_view activation,
                       std::span<const float> scale) {
  std::string matrix, bias;
  for (std::size_t o = 0; o < layer.weights.size(); ++o) {
    matrix += o > 0 ? ",\n[" : "[";
    for (std::size_t i = 0; i < layer.weights[o].size(); ++i)
      matrix += fmt::format("{}{}", i > 0 ? "," : "",
                            real_text(scale.empty() || scale[i] > 0 ? layer.weights[o][i] : 0.0F));
    matrix += "]";
    bias += fmt::format("{}{}", o > 0 ? "," : "", real_text(layer.bias[o]));
  }
  return fmt::format("{{\"matrix\":[{}],\n\"bias\":[{}],\n\"activation\":\"{}\"}}", matrix, bias,
                     activation);
}

}  // namespace

std::string solr_forest(const ExportTask& task, const Forest& forest) {
  std::string trees;
  Misses misses;
  for (const Tree& tree : forest.trees)
    trees += fmt::format("{}\n{{\"weight\":\"1.0\",\"root\":{}}}", trees.empty() ? "" : ",",
                         solr_node(task, tree, tree.nodes.empty() ? ~0 : 0, misses));
  if (misses.count > 0)
    task.exported.notes.push_back(fmt::format(
        "Solr adds 1e-6 to thresholds, and {} of them cannot be written so that this gives them "
        "exactly: features within {:.2g} above one take the other branch (‹verify› checks)",
        misses.count, misses.furthest));
  if (task.can.missing)
    task.exported.notes.emplace_back(
        "Solr has missing values only of features whose params have \"defaultValue\": \"NaN\"; "
        "others are 0");
  return model_text(task, "MultipleAdditiveTreesModel", plain_features(task.features()),
                    fmt::format("{}\"trees\":[{}]",
                                task.can.missing ? "\"isNullSameAsZero\":false," : "", trees));
}

std::string solr_linear(const ExportTask& task, const Linear& linear) {
  std::string weights;
  for (std::size_t f = 0; f < linear.weights.size(); ++f)
    weights += fmt::format("{}{}:{}", f > 0 ? "," : "", json_text(task.features()[f]),
                           real_text(linear.weights[f]));
  return model_text(task, "LinearModel", plain_features(task.features()),
                    "\"weights\":{" + weights + "}");
}

std::string solr_mlp(const ExportTask& task, const Mlp& mlp) {
  const std::string_view hidden = mlp.activation == Mlp::Activation::tanh ? "tanh" : "relu";
  std::string layers;
  for (std::size_t l = 0; l < mlp.layers.size(); ++l)
    layers += fmt::format(
        "{}{}", l > 0 ? ",\n" : "",
        layer_text(mlp.layers[l], l + 1 < mlp.layers.size() ? hidden : "identity",
                   l == 0 ? std::span<const float>(mlp.scale) : std::span<const float>()));
  return model_text(task, "NeuralNetworkModel", standardised_features(task.features(), mlp),
                    "\"layers\":[" + layers + "]");
}

}  // namespace podium
