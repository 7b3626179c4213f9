#include "models/importers/imported_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "models/exporters/thresholds.h"

namespace podium {
namespace {

using Missing = Tree::Node::Missing;

constexpr std::uint64_t kMostNumberedFeatures = 1'000'000;
constexpr double kFineWeight = 0x1p20, kLargestWeight = 0x1p40;

// The largest float that passes the test; −∞ if no finite one does.
float last_passing(const ImportedSplit& split) {
  const float at_most = largest_float_at_most(split.limit);
  const bool is_outside =
      split.test == ImportedSplit::Test::below && static_cast<double>(at_most) >= split.limit;
  return is_outside ? std::nextafter(at_most, -HUGE_VALF) : at_most;
}

// By what weights are multiplied to be counts; 0 if they cannot be.
double count_factor(std::span<const ImportedTree> trees) {
  double factor = 1;
  for (const ImportedTree& tree : trees)
    for (const ImportedNode& node : tree) {
      if (!(node.weight >= 0 && node.weight < kLargestWeight)) return 0;
      if (node.weight != std::floor(node.weight)) factor = kFineWeight;
    }
  return factor;
}

struct Numbering {
  std::vector<std::size_t> order;  // of the splits, parents before children
  std::vector<std::int32_t> number;
  std::vector<std::size_t> leaves;
};

Numbering number_nodes(const ImportedTree& tree, std::size_t which, const std::string& file) {
  Numbering out;
  out.number.resize(tree.size());
  std::vector<bool> reached(tree.size());
  const auto reach = [&](std::size_t node) {
    if (node >= tree.size() || reached[node])
      throw Error(
          ErrorCode::data,
          node >= tree.size()
              ? fmt::format("tree {} has a child {}, but {} nodes", which, node, tree.size())
              : fmt::format("tree {} reaches its node {} twice", which, node),
          {file});
    reached[node] = true;
    if (tree[node].feature < 0) {
      out.number[node] = ~static_cast<std::int32_t>(out.leaves.size());
      out.leaves.push_back(node);
    } else {
      out.number[node] = static_cast<std::int32_t>(out.order.size());
      out.order.push_back(node);
    }
  };
  if (tree.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorCode::data, fmt::format("tree {} has too many nodes", which), {file});
  reach(0);
  for (std::size_t k = 0; k < out.order.size(); ++k) {
    const ImportedNode& split = tree[out.order[k]];
    reach(split.left);
    reach(split.right);
  }
  return out;
}

}  // namespace

ImportedNode to_node(const ImportedSplit& split, const Place& place) {
  if (std::isnan(split.limit))
    throw Error(ErrorCode::data, "a split has a threshold that is not a number", place);
  const bool missing_yes = split.missing == ImportedSplit::Missing::yes;
  ImportedNode node;
  node.feature = split.feature;
  node.threshold = last_passing(split);
  const bool any_passes = node.threshold >= -std::numeric_limits<float>::max();
  // If none does, all values are ≤ the largest one, and go to `no`.
  if (!any_passes) node.threshold = std::numeric_limits<float>::max();
  node.left = any_passes ? split.yes : split.no;
  node.right = any_passes ? split.no : split.yes;
  node.missing = missing_yes == any_passes ? Missing::left : Missing::right;
  return node;
}

ImportedSplit::Missing side_of_zero(ImportedSplit::Test test, double limit) {
  const bool passes = test == ImportedSplit::Test::below ? 0 < limit : 0 <= limit;
  return passes ? ImportedSplit::Missing::yes : ImportedSplit::Missing::no;
}

Forest forest_of(std::span<const ImportedTree> trees, std::size_t features, double factor,
                 const std::string& file) {
  Forest forest;
  forest.features = features;
  const double count = count_factor(trees);
  const auto documents = [count](const ImportedNode& node) {
    return count == 0 ? 0 : static_cast<std::uint64_t>(std::llround(node.weight * count));
  };
  for (const ImportedTree& from : trees) {
    if (from.empty())
      throw Error(ErrorCode::data, fmt::format("tree {} has no nodes", forest.trees.size()),
                  {file});
    const Numbering nodes = number_nodes(from, forest.trees.size(), file);
    Tree& tree = forest.trees.emplace_back();
    for (const std::size_t n : nodes.order) {
      const ImportedNode& node = from[n];
      if (static_cast<std::size_t>(node.feature) >= features)
        throw Error(ErrorCode::data,
                    fmt::format("tree {} splits by feature {} of {}, counted from 0",
                                forest.trees.size() - 1, node.feature, features),
                    {file});
      tree.nodes.push_back({static_cast<std::uint32_t>(node.feature), node.threshold, node.missing,
                            nodes.number[node.left], nodes.number[node.right],
                            std::isfinite(node.gain) ? node.gain : 0, documents(node)});
      if (!node.categories.empty()) {
        tree.categories.resize(tree.nodes.size());
        tree.categories.back() = node.categories;
      }
    }
    if (!tree.categories.empty()) tree.categories.resize(tree.nodes.size());
    for (const std::size_t n : nodes.leaves) {
      tree.values.push_back(from[n].value * factor);
      tree.leaf_documents.push_back(documents(from[n]));
    }
  }
  return forest;
}

std::vector<std::string> numbered_features(std::uint64_t count, std::int64_t first,
                                           const std::string& file) {
  if (count == 0) throw Error(ErrorCode::data, "the model uses no feature", {file});
  if (count > kMostNumberedFeatures)
    throw Error(ErrorCode::data,
                fmt::format("the model has {} features, beyond the {} that are read without names",
                            count, kMostNumberedFeatures),
                {file});
  std::vector<std::string> names;
  for (std::uint64_t f = 0; f < count; ++f)
    names.push_back(std::to_string(first + static_cast<std::int64_t>(f)));
  return names;
}

}  // namespace podium
