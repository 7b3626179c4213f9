#include "models/foreign/onnx_trees.h"

#include "models/foreign/onnx_attributes.h"

namespace podium {

OnnxTrees::OnnxTrees(const ProtobufReader& node) {
  const OnnxNodeAttributes attributes(node);
  const auto at = [&](std::string_view name) -> const ProtobufReader& {
    return attributes.at(name);
  };
  const auto wholes = [&](std::string_view name) { return attributes.wholes(name); };
  const auto tree = wholes("nodes_treeids"), id = wholes("nodes_nodeids");
  const auto feature = wholes("nodes_featureids"),
             missing = wholes("nodes_missing_value_tracks_true");
  const auto yes = wholes("nodes_truenodeids"), no = wholes("nodes_falsenodeids");
  const auto threshold = at("nodes_values").reals(7);
  const auto mode = at("nodes_modes").all_bytes(9);
  for (const auto* column : {&id, &feature, &missing, &yes, &no})
    require_size(*column, tree.size());
  require_size(threshold, tree.size());
  require_size(mode, tree.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (static_cast<std::size_t>(tree[i]) == trees_.size()) trees_.emplace_back();
    if (static_cast<std::size_t>(tree[i]) + 1 != trees_.size() ||
        static_cast<std::size_t>(id[i]) != trees_.back().size())
      fail_foreign("its nodes are not in order");
    ForeignNode& read = trees_.back().emplace_back();
    if (mode[i] == "LEAF") continue;
    if (mode[i] != "BRANCH_LEQ") fail_foreign("it has an unknown mode");
    read = {feature[i],
            static_cast<double>(threshold[i]),
            static_cast<std::size_t>(yes[i]),
            static_cast<std::size_t>(no[i]),
            missing[i] != 0 ? ForeignNode::Missing::left : ForeignNode::Missing::right,
            0};
  }
  base_ = at("base_values").reals(7);
  target_.resize(trees_.size());
  const auto leaf_tree = wholes("target_treeids"), leaf_node = wholes("target_nodeids");
  const auto leaf_target = wholes("target_ids");
  const auto weight = at("target_weights").reals(7);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const auto t = static_cast<std::size_t>(leaf_tree.at(i));
    trees_.at(t).at(static_cast<std::size_t>(leaf_node.at(i))).value = weight[i];
    target_[t] = static_cast<std::size_t>(leaf_target.at(i));
  }
}

std::vector<double> OnnxTrees::outputs(std::span<const float> features,
                                       std::vector<double>& tree_values) const {
  std::vector<float> sums(base_.size());
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    tree_values.push_back(value_of(
        trees_[t], features, [](float x, double limit) { return x <= static_cast<float>(limit); }));
    sums.at(target_[t]) += static_cast<float>(tree_values.back());
  }
  std::vector<double> out;
  for (std::size_t k = 0; k < base_.size(); ++k) out.push_back(sums[k] + base_[k]);
  return out;
}

}  // namespace podium
