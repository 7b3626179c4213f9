#include "models/exporters/onnx_set_trees.h"

#include <cmath>
#include <limits>
#include <vector>

namespace podium {
namespace {

using Wholes = std::vector<std::int64_t>;

// Values of the attributes aggregate_function, post_transform and nodes_modes.
constexpr std::int64_t kSum = 1, kNoTransform = 0;
constexpr std::uint8_t kLessOrEqual = 0, kMember = 6;

// The arrays of the operator: nodes of all trees, leaves of all trees, and the sets of the nodes
// that have one, in order, each ended by NaN.
struct SetTreeArrays {
  Wholes root, feature, yes, yes_leaf, no, no_leaf, missing_yes, target;
  std::vector<std::uint8_t> mode;
  std::vector<float> split, hits, weight, member;

  void add(const Tree& from, std::int64_t output) {
    const auto first = static_cast<std::int64_t>(mode.size());
    const auto first_leaf = static_cast<std::int64_t>(weight.size());
    root.push_back(first);
    const auto child = [&](std::int32_t at, Wholes& id, Wholes& is_leaf) {
      id.push_back(at < 0 ? first_leaf + ~at : first + at);
      is_leaf.push_back(at < 0 ? 1 : 0);
    };
    const auto add_node = [&](const Tree::Node& node, bool set) {
      feature.push_back(node.feature);
      mode.push_back(set ? kMember : kLessOrEqual);
      split.push_back(set ? 0 : node.threshold);
      hits.push_back(1);
      missing_yes.push_back(node.missing == Tree::Node::Missing::left ? 1 : 0);
      child(node.left, yes, yes_leaf);
      child(node.right, no, no_leaf);
    };
    for (std::size_t n = 0; n < from.nodes.size(); ++n) {
      add_node(from.nodes[n], from.tests_category(n));
      if (!from.tests_category(n)) continue;
      for (const std::uint32_t number : from.categories[n])
        member.push_back(static_cast<float>(number));
      member.push_back(std::numeric_limits<float>::quiet_NaN());
    }
    if (from.nodes.empty()) add_node({.left = ~0, .right = ~0}, false);  // a tree needs a node
    for (const double value : from.values) {
      target.push_back(output);
      weight.push_back(static_cast<float>(value));
    }
  }

  OnnxAttributes attributes(std::size_t outputs) const {
    OnnxAttributes out;
    out.whole("n_targets", static_cast<std::int64_t>(outputs)).whole("aggregate_function", kSum);
    out.whole("post_transform", kNoTransform).wholes("tree_roots", root);
    out.tensor("nodes_modes", mode).wholes("nodes_featureids", feature);
    out.tensor("nodes_splits", split).tensor("nodes_hitrates", hits);
    out.wholes("nodes_truenodeids", yes).wholes("nodes_trueleafs", yes_leaf);
    out.wholes("nodes_falsenodeids", no).wholes("nodes_falseleafs", no_leaf);
    out.wholes("nodes_missing_value_tracks_true", missing_yes);
    out.wholes("leaf_targetids", target).tensor("leaf_weights", weight);
    if (!member.empty()) out.tensor("membership_values", member);
    return out;
  }
};

}  // namespace

std::string add_set_trees(OnnxGraph& graph, const std::string& input, const Forest& forest) {
  SetTreeArrays arrays;
  const std::size_t outputs = forest.base.size();
  for (std::size_t t = 0; t < forest.trees.size(); ++t)
    arrays.add(forest.trees[t], static_cast<std::int64_t>(t % outputs));
  if (forest.trees.empty()) {  // the operator requires a tree
    Tree nothing;
    nothing.values = {0};
    arrays.add(nothing, 0);
  }
  const std::string sums =
      graph.node("TreeEnsemble", {input}, arrays.attributes(outputs), "ai.onnx.ml");
  const std::vector<float> base(forest.base.begin(), forest.base.end());
  const auto width = static_cast<std::int64_t>(outputs);
  return graph.node("Add", {sums, graph.constant({width}, std::span(base))});
}

}  // namespace podium
