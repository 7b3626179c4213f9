#include "models/foreign/onnx_set_trees.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "models/foreign/onnx_attributes.h"

namespace podium {
namespace {

std::vector<float> floats_of(std::string_view bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
  return out;
}

}  // namespace

OnnxSetTrees::OnnxSetTrees(const ProtobufReader& node) {
  const OnnxNodeAttributes attributes(node);
  if (attributes.at("aggregate_function").whole(3) != 1 ||
      attributes.at("post_transform").whole(3) != 0)
    fail_foreign("its trees are not added up");
  const std::string_view modes = attributes.tensor("nodes_modes");
  const std::size_t count = modes.size();
  const auto column = [&](std::string_view name) {
    auto values = attributes.wholes(name);
    require_size(values, count);
    return values;
  };
  const auto feature = column("nodes_featureids");
  const auto yes = column("nodes_truenodeids"), yes_leaf = column("nodes_trueleafs");
  const auto no = column("nodes_falsenodeids"), no_leaf = column("nodes_falseleafs");
  const auto missing = column("nodes_missing_value_tracks_true");
  const std::vector<float> split = floats_of(attributes.tensor("nodes_splits"));
  require_size(split, count);
  std::vector<float> members;
  if (attributes.has("membership_values"))
    members = floats_of(attributes.tensor("membership_values"));
  auto member = members.begin();
  for (std::size_t n = 0; n < count; ++n) {
    if (modes[n] != 0 && modes[n] != 6) fail_foreign("it has an unknown mode");
    Node& read = nodes_.emplace_back();
    read.feature = static_cast<std::size_t>(feature[n]);
    read.split = split[n];
    read.has_set = modes[n] == 6;
    read.missing_yes = missing[n] != 0;
    read.yes = {static_cast<std::size_t>(yes[n]), yes_leaf[n] != 0};
    read.no = {static_cast<std::size_t>(no[n]), no_leaf[n] != 0};
    if (!read.has_set) continue;
    const auto end =
        std::find_if(member, members.end(), [](float value) { return std::isnan(value); });
    if (end == members.end()) fail_foreign("a set of its trees does not end");
    read.set.assign(member, end);
    member = end + 1;
  }
  for (const std::int64_t root : attributes.wholes("tree_roots"))
    roots_.push_back(static_cast<std::size_t>(root));
  for (const std::int64_t target : attributes.wholes("leaf_targetids"))
    target_.push_back(static_cast<std::size_t>(target));
  weight_ = floats_of(attributes.tensor("leaf_weights"));
  require_size(weight_, target_.size());
  targets_ = static_cast<std::size_t>(attributes.at("n_targets").whole(3));
}

std::size_t OnnxSetTrees::leaf_of(std::size_t root, std::span<const float> features) const {
  for (Child child{root, false};;) {
    const Node& node = nodes_.at(child.at);
    const float x = features[node.feature];
    const bool in_set = std::find(node.set.begin(), node.set.end(), x) != node.set.end();
    const bool yes = std::isnan(x) ? node.missing_yes : (node.has_set ? in_set : x <= node.split);
    child = yes ? node.yes : node.no;
    if (child.is_leaf) return child.at;
  }
}

std::vector<double> OnnxSetTrees::outputs(std::span<const float> features,
                                          std::vector<double>& tree_values) const {
  std::vector<float> sums(targets_);
  for (const std::size_t root : roots_) {
    const std::size_t leaf = leaf_of(root, features);
    tree_values.push_back(weight_.at(leaf));
    sums.at(target_.at(leaf)) += weight_.at(leaf);
  }
  return {sums.begin(), sums.end()};
}

}  // namespace podium
