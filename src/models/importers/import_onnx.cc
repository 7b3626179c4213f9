// Tree ensembles in ONNX as forests: of Podium's own export, and of converters for LightGBM,
// XGBoost, CatBoost and scikit-learn. Nodes are named by (tree, node), in any order; the root is
// the one that no other leads to.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/importers/imported_tree.h"
#include "models/importers/importer.h"
#include "models/importers/onnx_file.h"
#include "models/importers/text_lines.h"

namespace podium {
namespace {

using OnnxPlaces = std::map<std::int64_t, std::size_t>;  // a tree's nodes by id

struct OnnxComparison {
  std::string_view mode;
  ImportedSplit::Test test;
  bool negated;  // the test says where the comparison fails
};
constexpr OnnxComparison kOnnxComparisons[] = {
    {"BRANCH_LEQ", ImportedSplit::Test::at_most, false},
    {"BRANCH_LT", ImportedSplit::Test::below, false},
    {"BRANCH_GT", ImportedSplit::Test::at_most, true},
    {"BRANCH_GTE", ImportedSplit::Test::below, true},
};

const OnnxComparison& comparison_of(std::string_view mode, const std::string& file) {
  for (const OnnxComparison& comparison : kOnnxComparisons)
    if (comparison.mode == mode) return comparison;
  throw Error(ErrorCode::data,
              fmt::format("the mode {} of a node cannot be imported", TextLines::shown(mode)),
              {file});
}

std::size_t place_of(const OnnxPlaces& places, std::int64_t id, const std::string& file) {
  const auto found = places.find(id);
  if (found == places.end())
    throw Error(ErrorCode::data, fmt::format("there is no node {} in a tree that leads to it", id),
                {file});
  return found->second;
}

ImportedNode onnx_split(const OnnxEnsemble& from, std::size_t entry, const OnnxPlaces& places,
                        const std::string& file) {
  const OnnxComparison& comparison = comparison_of(from.mode[entry], file);
  if (from.feature[entry] < 0)
    throw Error(ErrorCode::data, "a node splits by a feature below 0", {file});
  const std::size_t yes = place_of(places, from.yes[entry], file),
                    no = place_of(places, from.no[entry], file);
  const bool missing_first = from.missing_yes[entry] != comparison.negated;
  return to_node({from.feature[entry], comparison.test, from.value[entry],
                  comparison.negated ? no : yes, comparison.negated ? yes : no,
                  missing_first ? ImportedSplit::Missing::yes : ImportedSplit::Missing::no},
                 {file});
}

// The node that is no other's child comes first.
void put_root_first(ImportedTree& tree, const std::string& file) {
  std::vector<bool> is_child(tree.size());
  for (const ImportedNode& node : tree)
    if (node.feature >= 0) is_child[node.left] = is_child[node.right] = true;
  if (std::count(is_child.begin(), is_child.end(), false) != 1)
    throw Error(ErrorCode::data, "a tree does not have exactly one root", {file});
  const auto root = static_cast<std::size_t>(std::find(is_child.begin(), is_child.end(), false) -
                                             is_child.begin());
  if (root == 0) return;
  std::swap(tree[0], tree[root]);
  for (ImportedNode& node : tree)
    for (std::size_t* child : {&node.left, &node.right}) *child = *child == 0 ? root : *child;
}

std::vector<ImportedTree> onnx_trees(const OnnxEnsemble& from, const std::string& file) {
  std::map<std::int64_t, std::vector<std::size_t>> entries;  // of each tree
  for (std::size_t i = 0; i < from.tree.size(); ++i) entries[from.tree[i]].push_back(i);
  std::map<std::int64_t, std::map<std::int64_t, double>> values;  // of leaves
  for (std::size_t i = 0; i < from.leaf_tree.size(); ++i)
    values[from.leaf_tree[i]][from.leaf_node[i]] += from.leaf_value[i];
  std::vector<ImportedTree> trees;
  for (const auto& [id, nodes] : entries) {
    OnnxPlaces places;
    for (const std::size_t entry : nodes)
      if (!places.emplace(from.node[entry], places.size()).second)
        throw Error(ErrorCode::data, fmt::format("a tree has two nodes {}", from.node[entry]),
                    {file});
    ImportedTree& tree = trees.emplace_back();
    for (const std::size_t entry : nodes)
      if (from.mode[entry] == "LEAF")
        tree.emplace_back().value = values[id][from.node[entry]];
      else
        tree.push_back(onnx_split(from, entry, places, file));
    put_root_first(tree, file);
  }
  return trees;
}

std::uint64_t feature_count_of(const OnnxFile& read) {
  std::int64_t last = -1;
  for (std::size_t i = 0; i < read.ensemble.feature.size(); ++i)
    if (read.ensemble.mode[i] != "LEAF") last = std::max(last, read.ensemble.feature[i]);
  return std::max(read.inputs, static_cast<std::uint64_t>(last + 1));
}

ImportedModel onnx_model(const OnnxFile& read, const std::string& file,
                         const ImportOptions& options) {
  const std::vector<ImportedTree> trees = onnx_trees(read.ensemble, file);
  const bool averages = read.ensemble.aggregate == OnnxEnsemble::Aggregate::average;
  const double factor = averages && !trees.empty() ? 1.0 / static_cast<double>(trees.size()) : 1.0;
  ImportedModel out;
  const std::uint64_t features = feature_count_of(read);
  if (read.feature_names.size() == features) {
    out.model.features = read.feature_names;
  } else {
    out.model.features = numbered_features(features, options.first_feature, file);
    out.notes.push_back(fmt::format(
        "the first column is taken as feature {}; use ‹first-feature {}› if that is wrong",
        options.first_feature, options.first_feature == 0 ? 1 : 0));
  }
  Forest forest = forest_of(trees, out.model.features.size(), factor, file);
  forest.base = {read.ensemble.base};
  out.model.missing = "split";
  out.model.model = std::move(forest);
  return out;
}

}  // namespace

ImportedModel import_onnx(std::string_view content, const std::string& file,
                          const ImportOptions& options) {
  OnnxFile read;
  try {
    read = parse_onnx(content);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {file});
  }
  return onnx_model(read, file, options);
}

}  // namespace podium
