// ONNX: trees as TreeEnsembleRegressor of ai.onnx.ml 3, or TreeEnsemble of ai.onnx.ml 5 if the
// model has categories, in single precision; linear models, the
// last layer of perceptrons and links in double precision, cast to the float output. The features'
// names are in the file's metadata, one per line.
#include <algorithm>
#include <array>

#include "models/exporters/added_models.h"
#include "models/exporters/exporter.h"
#include "models/exporters/onnx_graph.h"
#include "models/exporters/onnx_set_trees.h"

namespace podium {
namespace {

using Wholes = std::vector<std::int64_t>;

std::string features_input() {
  return std::string(OnnxGraph::kInput);
}

std::int64_t size_of(const auto& items) {
  return static_cast<std::int64_t>(items.size());
}

// The features, or sign(x) log(1 + |x|) of them.
std::string inputs(OnnxGraph& graph, const ExportTask& task) {
  if (task.model.inputs == PortableModel::Inputs::plain) return features_input();
  constexpr double kOne[] = {1};
  const std::string x = graph.cast(features_input(), OnnxType::real64);
  const std::string one = graph.constant({}, std::span(kOne));
  const std::string log = graph.node("Log", {graph.node("Add", {graph.node("Abs", {x}), one})});
  return graph.cast(graph.node("Mul", {graph.node("Sign", {x}), log}), OnnxType::real32);
}

// x · column + constant in double precision.
std::string weighted_sum(OnnxGraph& graph, const std::string& x, std::span<const double> column,
                         double constant) {
  const std::string product = graph.node(
      "MatMul", {graph.cast(x, OnnxType::real64), graph.constant({size_of(column), 1}, column)});
  return graph.node("Add", {product, graph.constant({1}, std::span<const double>(&constant, 1))});
}

// The arrays of the operator, one entry per node or leaf of all trees.
struct TreeArrays {
  Wholes tree, node, feature, yes, no, missing_yes;
  std::vector<float> value, hits;
  std::vector<std::string_view> mode;
  Wholes target_tree, target_node, target;
  std::vector<float> weight;

  void add(const Tree& from, std::int64_t number, std::int64_t output) {
    const std::int64_t nodes = size_of(from.nodes);
    const auto id = [&](std::int32_t at) { return at < 0 ? nodes + ~at : std::int64_t{at}; };
    for (std::size_t n = 0; n < from.nodes.size(); ++n) {
      const Tree::Node& split = from.nodes[n];
      add_row(number, static_cast<std::int64_t>(n), "BRANCH_LEQ");
      feature.back() = split.feature;
      value.back() = split.threshold;
      yes.back() = id(split.left);
      no.back() = id(split.right);
      missing_yes.back() = split.missing == Tree::Node::Missing::left ? 1 : 0;
    }
    for (std::size_t leaf = 0; leaf < from.values.size(); ++leaf) {
      const std::int64_t place = nodes + static_cast<std::int64_t>(leaf);
      add_row(number, place, "LEAF");
      target_tree.push_back(number);
      target_node.push_back(place);
      target.push_back(output);
      weight.push_back(static_cast<float>(from.values[leaf]));
    }
  }

  OnnxAttributes attributes(const Forest& forest) const {
    const std::vector<float> base(forest.base.begin(), forest.base.end());
    OnnxAttributes out;
    out.whole("n_targets", size_of(base)).text("aggregate_function", "SUM");
    out.text("post_transform", "NONE").reals("base_values", base);
    out.wholes("nodes_treeids", tree).wholes("nodes_nodeids", node);
    out.wholes("nodes_featureids", feature).reals("nodes_values", value);
    out.reals("nodes_hitrates", hits).texts("nodes_modes", mode);
    out.wholes("nodes_truenodeids", yes).wholes("nodes_falsenodeids", no);
    out.wholes("nodes_missing_value_tracks_true", missing_yes);
    out.wholes("target_treeids", target_tree).wholes("target_nodeids", target_node);
    out.wholes("target_ids", target).reals("target_weights", weight);
    return out;
  }

 private:
  void add_row(std::int64_t number, std::int64_t place, std::string_view kind) {
    tree.push_back(number);
    node.push_back(place);
    mode.push_back(kind);
    for (Wholes* column : {&feature, &yes, &no, &missing_yes}) column->push_back(0);
    value.push_back(0);
    hits.push_back(1);
  }
};

std::string linked(OnnxGraph& graph, const std::string& outputs, const Link& link) {
  if (link.kind == Link::Kind::softmax) {
    const std::string shares = graph.node("Softmax", {graph.cast(outputs, OnnxType::real64)},
                                          OnnxAttributes().whole("axis", 1));
    return graph.cast(weighted_sum(graph, shares, link.values, 0), OnnxType::real32);
  }
  if (link.kind == Link::Kind::identity) return outputs;
  std::vector<double> steps;
  for (std::size_t k = 1; k < link.values.size(); ++k)
    steps.push_back(link.values[k] - link.values[k - 1]);
  const std::string shares = graph.node("Sigmoid", {graph.cast(outputs, OnnxType::real64)});
  return graph.cast(weighted_sum(graph, shares, steps, link.values[0]), OnnxType::real32);
}

std::string tree_sums(OnnxGraph& graph, const Forest& forest) {
  TreeArrays arrays;
  const std::size_t outputs = forest.base.size();
  for (std::size_t t = 0; t < forest.trees.size(); ++t)
    arrays.add(forest.trees[t], static_cast<std::int64_t>(t),
               static_cast<std::int64_t>(t % outputs));
  if (forest.trees.empty()) {  // the operator requires a tree
    Tree nothing;
    nothing.values = {0};
    arrays.add(nothing, 0, 0);
  }
  return graph.node("TreeEnsembleRegressor", {features_input()}, arrays.attributes(forest),
                    "ai.onnx.ml");
}

// Each adds a model to the graph and returns its score, in single precision.
std::string add_model(OnnxGraph& graph, const ExportTask& task, const Forest& forest) {
  // A file has one version of ai.onnx.ml, and TreeEnsembleRegressor is not in 5.
  std::string sums = task.model.categories.empty() ? tree_sums(graph, forest)
                                                   : add_set_trees(graph, features_input(), forest);
  if (forest.offset_feature) {
    const std::int64_t column = *forest.offset_feature;
    const std::string offset =
        graph.node("Gather", {features_input(), graph.constant({1}, std::span(&column, 1))},
                   OnnxAttributes().whole("axis", 1));
    sums = graph.node("Add", {sums, graph.without_missing(offset)});
  }
  return linked(graph, sums, forest.link);
}

std::string add_model(OnnxGraph& graph, const ExportTask& task, const Linear& linear) {
  const std::string x = graph.without_missing(inputs(graph, task));
  const std::string sum = weighted_sum(graph, x, linear.weights, linear.bias);
  return graph.cast(sum, OnnxType::real32);
}

std::string add_model(OnnxGraph& graph, const ExportTask& task, const Mlp& mlp) {
  std::vector<float> factor;
  for (const float scale : mlp.scale) factor.push_back(scale > 0 ? 1 / scale : 0.0F);
  const std::int64_t width = size_of(factor);
  const std::string centred =
      graph.node("Sub", {inputs(graph, task), graph.constant({width}, std::span(mlp.mean))});
  std::string z = graph.without_missing(
      graph.node("Mul", {centred, graph.constant({width}, std::span<const float>(factor))}));
  for (std::size_t l = 0; l + 1 < mlp.layers.size(); ++l) {
    const Mlp::Layer& layer = mlp.layers[l];
    std::vector<float> columns;  // input by input
    for (std::size_t i = 0; i < layer.weights[0].size(); ++i)
      for (const std::vector<float>& row : layer.weights) columns.push_back(row[i]);
    const std::string product =
        graph.node("MatMul", {z, graph.constant({size_of(layer.weights[0]), size_of(layer.bias)},
                                                std::span<const float>(columns))});
    const std::string sum =
        graph.node("Add", {product, graph.constant({size_of(layer.bias)}, std::span(layer.bias))});
    z = graph.node(mlp.activation == Mlp::Activation::tanh ? "Tanh" : "Relu", {sum});
  }
  const Mlp::Layer& last = mlp.layers.back();
  const std::vector<double> column(last.weights[0].begin(), last.weights[0].end());
  const std::string score = weighted_sum(graph, z, column, last.bias[0]);
  return graph.cast(score, OnnxType::real32);
}

// Σ factor · score, in double precision.
std::string add_model(OnnxGraph& graph, const ExportTask& task, const Blend& blend) {
  std::string sum;
  for (const BlendMember& member : blend.members) {
    PortableModel portable = member_model(member);
    portable.categories = task.model.categories;
    const ExportTask part{portable, task.can, task.options, task.exported};
    const std::string score =
        std::visit([&](const auto& kind) { return add_model(graph, part, kind); }, portable.model);
    const double factor = member.factor();
    const std::string term =
        graph.node("Mul", {graph.cast(score, OnnxType::real64),
                           graph.constant({1}, std::span<const double>(&factor, 1))});
    sum = sum.empty() ? term : graph.node("Add", {sum, term});
  }
  return graph.cast(sum, OnnxType::real32);
}

template <class Kind>
std::string onnx_file(const ExportTask& task, const Kind& model) {
  OnnxGraph graph;
  const std::string score = add_model(graph, task, model);
  return graph.finish(score, task);
}

}  // namespace

std::string onnx_forest(const ExportTask& task, const Forest& forest) {
  return onnx_file(task, forest);
}
std::string onnx_linear(const ExportTask& task, const Linear& linear) {
  return onnx_file(task, linear);
}
std::string onnx_mlp(const ExportTask& task, const Mlp& mlp) {
  return onnx_file(task, mlp);
}
std::string onnx_blend(const ExportTask& task, const Blend& blend) {
  return onnx_file(task, blend);
}

}  // namespace podium
