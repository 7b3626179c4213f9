#include "models/file/serialize_forest.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/file/json_text.h"

namespace podium {
namespace {

using Json = nlohmann::ordered_json;
using Missing = Tree::Node::Missing;

bool is_ascending(const std::vector<std::uint32_t>& codes) {
  for (std::size_t i = 1; i < codes.size(); ++i)
    if (codes[i] <= codes[i - 1]) return false;
  return codes.back() < kMostCategories;
}

// What is wrong with the tree, or "". Its nodes must form one tree: children come after their
// parent, and no node or leaf is the child of two. There are as many children as there are leaves
// and nodes without the root, so each of these is then reached exactly once.
std::string fault(const Tree& tree, std::size_t features) {
  if (tree.values.size() != tree.nodes.size() + 1 ||
      tree.leaf_documents.size() != tree.values.size())
    return fmt::format(
        "has {} nodes, {} values and {} leaf counts, but needs one leaf more than "
        "nodes",
        tree.nodes.size(), tree.values.size(), tree.leaf_documents.size());
  if (!tree.categories.empty() && tree.categories.size() != tree.nodes.size())
    return fmt::format("has {} lists of categories for {} nodes", tree.categories.size(),
                       tree.nodes.size());
  for (const double value : tree.values)
    if (!std::isfinite(value)) return "has a value that is not finite";
  std::vector<bool> node_used(tree.nodes.size()), leaf_used(tree.values.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    if (node.feature >= features)
      return fmt::format("splits by feature {} of {}", node.feature, features);
    if (tree.tests_category(n) && !is_ascending(tree.categories[n]))
      return fmt::format("has categories at node {} that are not ascending codes", n);
    if (!std::isfinite(node.threshold) || !std::isfinite(node.gain))
      return fmt::format("has a threshold or a gain at node {} that is not finite", n);
    for (const std::int32_t child : {node.left, node.right}) {
      std::vector<bool>& used = child >= 0 ? node_used : leaf_used;
      const auto index = static_cast<std::size_t>(child >= 0 ? child : ~child);
      if (index >= used.size() || (child >= 0 && index <= n))
        return fmt::format(
            "has node {} with the child {}, which is neither a later node nor a leaf", n, child);
      if (used[index]) return fmt::format("reaches the child {} twice", child);
      used[index] = true;
    }
  }
  return "";
}

// What is wrong with the forest apart from its trees, or "".
std::string fault(const Forest& forest) {
  const Link& link = forest.link;
  const auto& values = link.values;
  const std::size_t least = link.kind == Link::Kind::identity  ? 0
                            : link.kind == Link::Kind::softmax ? 1
                                                               : 2;
  if (values.size() < least || (least == 0 && !values.empty()))
    return fmt::format("'link.values' has the wrong size for the link {}", to_text(link.kind));
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]) || (k > 0 && !(values[k - 1] < values[k])))
      return "'link.values' is not in ascending order";
  if (forest.base.size() != link.outputs())
    return fmt::format("'base' has {} numbers for {} outputs", forest.base.size(), link.outputs());
  for (const double base : forest.base)
    if (!std::isfinite(base)) return "'base' is not finite";
  if (forest.trees.size() % link.outputs() != 0)
    return fmt::format("'trees' has {} trees, not a multiple of the {} outputs",
                       forest.trees.size(), link.outputs());
  if (forest.offset_feature && *forest.offset_feature >= forest.features)
    return fmt::format("'offset_feature' {} is not one of the {} features", *forest.offset_feature,
                       forest.features);
  return "";
}

Json tree_json(const Tree& tree) {
  Json json = {{"feature", Json::array()},      {"threshold", Json::array()},
               {"missing_left", Json::array()}, {"left", Json::array()},
               {"right", Json::array()},        {"gain", Json::array()},
               {"documents", Json::array()}};
  for (const Tree::Node& node : tree.nodes) {
    json["feature"].push_back(node.feature);
    json["threshold"].push_back(decimal(node.threshold));
    json["missing_left"].push_back(node.missing == Missing::left);
    json["left"].push_back(node.left);
    json["right"].push_back(node.right);
    json["gain"].push_back(node.gain);
    json["documents"].push_back(node.documents);
  }
  json["values"] = tree.values;
  json["leaf_documents"] = tree.leaf_documents;
  if (tree.categories.empty()) return json;
  json["category_nodes"] = json["categories"] = Json::array();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (!tree.tests_category(n)) continue;
    json["category_nodes"].push_back(n);
    json["categories"].push_back(tree.categories[n]);
  }
  return json;
}

// The sets of the nodes that test a category.
void read_categories(const ModelReader& reader, Tree& tree) {
  const auto nodes = reader.counts("category_nodes");
  auto sets = reader.count_rows("categories");
  if (nodes.size() != sets.size())
    reader.fail_at("categories",
                   fmt::format("has {} sets for {} nodes", sets.size(), nodes.size()));
  tree.categories.resize(tree.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] >= tree.nodes.size() || (i > 0 && nodes[i] <= nodes[i - 1]))
      reader.fail_at("category_nodes", "is not a list of ascending nodes");
    if (sets[i].empty()) reader.fail_at("categories", "has an empty set");
    tree.categories[nodes[i]] = std::move(sets[i]);
  }
}

Tree read_tree(const ModelReader& reader, std::size_t features) {
  const auto feature = reader.counts("feature");
  const auto threshold = reader.numbers("threshold");
  const auto missing_left = reader.booleans("missing_left");
  const auto left = reader.integers("left"), right = reader.integers("right");
  const auto gain = reader.numbers("gain");
  const auto documents = reader.counts("documents");
  for (const std::size_t size : {threshold.size(), missing_left.size(), left.size(), right.size(),
                                 gain.size(), documents.size()})
    if (size != feature.size())
      reader.fail("'" + reader.path() + "'", "has arrays of different sizes");
  Tree tree;
  tree.nodes.resize(feature.size());
  for (std::size_t n = 0; n < feature.size(); ++n) {
    if (feature[n] >= features) reader.fail_at("feature", "is not one of the model's features");
    tree.nodes[n] = {static_cast<std::uint32_t>(feature[n]),
                     static_cast<float>(threshold[n]),
                     missing_left[n] ? Missing::left : Missing::right,
                     left[n],
                     right[n],
                     gain[n],
                     documents[n]};
  }
  tree.values = reader.numbers("values");
  tree.leaf_documents = reader.counts("leaf_documents");
  if (reader.has("categories")) read_categories(reader, tree);
  const std::string wrong = fault(tree, features);
  if (!wrong.empty()) reader.fail("'" + reader.path() + "'", wrong);
  return tree;
}

Link read_link(const ModelReader& reader) {
  const std::string kind = reader.text("kind");
  for (const auto known : {Link::Kind::identity, Link::Kind::softmax, Link::Kind::cumulative})
    if (to_text(known) == kind) return {known, reader.numbers("values")};
  reader.fail_at("kind", "'" + kind + "' is unknown to this version");
}

}  // namespace

Json forest_json(const Forest& forest) {
  std::string wrong = fault(forest);
  for (std::size_t t = 0; t < forest.trees.size() && wrong.empty(); ++t)
    if (wrong = fault(forest.trees[t], forest.features); !wrong.empty())
      wrong = fmt::format("tree {} {}", t, wrong);
  if (!wrong.empty()) throw Error(ErrorCode::training, "the forest cannot be saved: " + wrong);
  Json trees = Json::array();
  for (const Tree& tree : forest.trees) trees.push_back(tree_json(tree));
  return {{"type", "forest"},
          {"base", forest.base},
          {"link", {{"kind", to_text(forest.link.kind)}, {"values", forest.link.values}}},
          {"offset_feature", forest.offset_feature ? Json(*forest.offset_feature) : Json()},
          {"trees", std::move(trees)}};
}

Forest read_forest(const ModelReader& model, std::size_t features) {
  Forest forest;
  forest.features = features;
  forest.base = model.numbers("base");
  forest.link = read_link(model.object("link"));
  if (!model.any("offset_feature").is_null()) {
    const std::uint64_t offset = model.count("offset_feature");
    if (offset >= features) model.fail_at("offset_feature", "is not one of the model's features");
    forest.offset_feature = static_cast<std::uint32_t>(offset);
  }
  for (const ModelReader& tree : model.objects("trees"))
    forest.trees.push_back(read_tree(tree, features));
  const std::string wrong = fault(forest);
  if (!wrong.empty()) model.fail("the forest:", wrong);
  return forest;
}

}  // namespace podium
