// XGBoost's saved models, and its dumps of trees, as forests; gblinear as a linear model. XGBoost
// compares and adds in single precision: each float32 takes the same branch here, leaves have the
// same value, and only the sum is rounded differently.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "models/importers/imported_categories.h"
#include "models/importers/importer.h"
#include "models/importers/text_lines.h"
#include "models/importers/xgboost_dump.h"
#include "models/importers/xgboost_file.h"

namespace podium {
namespace {

// XGBoost sends the set to the right, and all other values, known or not, to the left.
ImportedNode category_node(const XgboostTree& from, std::size_t n,
                           const std::vector<std::uint32_t>& set) {
  ImportedNode node;
  node.feature = from.feature[n];
  node.left = static_cast<std::size_t>(from.right[n]);
  node.right = static_cast<std::size_t>(from.left[n]);
  node.missing = from.default_left[n] ? Tree::Node::Missing::right : Tree::Node::Missing::left;
  node.categories = set;
  return node;
}

ImportedTree imported_tree(const XgboostTree& from, const std::string& file) {
  ImportedTree tree;
  for (std::size_t n = 0; n < from.left.size(); ++n) {
    ImportedNode node;
    if (from.left[n] < 0)
      node.value = static_cast<double>(from.condition[n]) * static_cast<double>(from.weight);
    else if (const auto set = from.categories.find(n); set != from.categories.end())
      node = category_node(from, n, set->second);
    else
      node = to_node(
          {from.feature[n], ImportedSplit::Test::below, static_cast<double>(from.condition[n]),
           static_cast<std::size_t>(from.left[n]), static_cast<std::size_t>(from.right[n]),
           from.default_left[n] ? ImportedSplit::Missing::yes : ImportedSplit::Missing::no},
          {file});
    if (!from.gain.empty()) node.gain = from.gain[n];
    if (!from.cover.empty()) node.weight = from.cover[n];
    tree.push_back(node);
  }
  return tree;
}

// A number that is in no set of a split is known all the same, and goes where the others go, unlike
// a missing value: all that the file names, or that are below the largest.
std::map<std::uint32_t, std::vector<std::uint32_t>> known_categories(const XgboostFile& file) {
  constexpr std::uint32_t kListed = 65536;
  std::map<std::uint32_t, std::uint32_t> count;
  for (const auto& [feature, names] : file.category_names)
    count[feature] = static_cast<std::uint32_t>(names.size());
  for (const XgboostTree& tree : file.trees)
    for (const auto& [node, set] : tree.categories)
      if (const auto feature = static_cast<std::uint32_t>(tree.feature[node]);
          tree.left[node] >= 0 && !file.category_names.contains(feature))
        count[feature] = std::max(count[feature], std::min(kListed, set.back() + 1));
  std::map<std::uint32_t, std::vector<std::uint32_t>> known;
  for (const auto& [feature, size] : count) {
    known[feature].resize(size);
    std::iota(known[feature].begin(), known[feature].end(), 0U);
  }
  return known;
}

void note_columns(std::int64_t first, ImportedModel& out) {
  out.notes.push_back(
      fmt::format("XGBoost's first feature, f0, is taken as feature {}; use ‹first-feature {}› if "
                  "that is wrong",
                  first, first == 0 ? 1 : 0));
}

void note_output(const XgboostFile& file, ImportedModel& out) {
  if (file.output != XgboostFile::Output::sum)
    out.notes.push_back(fmt::format(
        "the objective {} predicts a function of the sum of leaves; the imported model gives the "
        "sum itself (XGBoost's output_margin), which has the same order",
        file.objective));
  if (file.best_iteration && file.linear.empty())
    out.notes.push_back(
        fmt::format("training stopped early, at iteration {} of the file's; all trees are taken, "
                    "as by Booster.predict, but not by scikit-learn's interface",
                    *file.best_iteration));
}

Linear linear_model(const XgboostFile& file) {
  Linear linear;
  linear.weights.assign(file.linear.begin(), file.linear.end() - 1);
  linear.bias = static_cast<double>(file.linear.back()) + static_cast<double>(file.base_margin);
  return linear;
}

ImportedModel import_saved(std::string_view content, const std::string& file,
                           const ImportOptions& options) {
  const XgboostFile read = parse_xgboost(content, file);
  ImportedModel out;
  out.model.features = read.feature_names;
  if (out.model.features.empty()) {
    out.model.features = numbered_features(read.features, options.first_feature, file);
    note_columns(options.first_feature, out);
  }
  out.model.loss = read.objective;
  note_output(read, out);
  if (!read.linear.empty()) {
    out.model.model = linear_model(read);
    return out;
  }
  std::vector<ImportedTree> trees;
  for (const XgboostTree& tree : read.trees) trees.push_back(imported_tree(tree, file));
  Forest forest = forest_of(trees, out.model.features.size(), 1, file);
  forest.base = {static_cast<double>(read.base_margin)};
  out.model.missing = "split";
  out.model.model = std::move(forest);
  name_categories(out.model, read.category_names, known_categories(read), file);
  return out;
}

// f0, f1, … are XGBoost's own names; the numbers, or nothing if there are others.
std::vector<std::int64_t> own_numbers(const std::vector<std::string>& names) {
  std::vector<std::int64_t> out;
  for (const std::string& name : names) {
    std::int64_t number = -1;
    const auto [stop, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    if (name.size() < 2 || name[0] != 'f' || name[1] == '-' || error != std::errc() ||
        stop != name.data() + name.size())
      return {};
    out.push_back(number);
  }
  return out;
}

ImportedModel import_dump(std::string_view content, const std::string& file,
                          const ImportOptions& options) {
  const nlohmann::json json = parse_import(content, file, "an XGBoost");
  FeatureNames names;
  std::vector<ImportedTree> trees = read_dump(JsonPart(json, file), MissingRule::split, names);
  ImportedModel out;
  out.model.features = names.names();
  if (const auto numbers = own_numbers(names.names()); !numbers.empty()) {
    for (ImportedTree& tree : trees)
      for (ImportedNode& node : tree)
        if (node.feature >= 0) node.feature = numbers[static_cast<std::size_t>(node.feature)];
    const std::int64_t last = *std::max_element(numbers.begin(), numbers.end());
    out.model.features =
        numbered_features(static_cast<std::uint64_t>(last) + 1, options.first_feature, file);
    note_columns(options.first_feature, out);
  }
  if (out.model.features.empty()) throw Error(ErrorCode::data, "the model uses no feature", {file});
  out.notes.emplace_back("a dump has no base_score: scores lack that constant");
  out.model.missing = "split";
  out.model.model = forest_of(trees, out.model.features.size(), 1, file);
  return out;
}

}  // namespace

ImportedModel import_xgboost(std::string_view content, const std::string& file,
                             const ImportOptions& options) {
  return trimmed(content.substr(0, 64)).starts_with('[') ? import_dump(content, file, options)
                                                         : import_saved(content, file, options);
}

}  // namespace podium
