// LightGBM's text model: `key=value` lines, one block per tree. A child ≥ 0 is a node, < 0 the leaf
// ~child; left if x ≤ threshold, in double precision. decision_type 8 is "NaN goes right", 10 "NaN
// goes left". LightGBM treats values within ±10⁻³⁵ as 0, so a threshold among them (other than 0
// itself) is refused. Lines that would be empty are left out, as treelite requires. The range in
// feature_infos is that of the thresholds: the model does not store that of the training data.
//
// A category split has decision_type 9 and, as its threshold, its number among the tree's category
// splits: words cat_boundaries[i] … cat_boundaries[i + 1] − 1 of cat_threshold are the bits of the
// numbers that go left. All others, unknown and missing ones too, go right. Where numbers are
// codes, pandas_categorical names the values, as LightGBM does for pandas columns of the type
// `category`.
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/thresholds.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr int kNanRight = 8, kNanLeft = 10, kCategorySplit = 9;

std::string double_text(double x) {
  return fmt::format("{:.17g}", x);
}

template <class Items, class Text>
std::string line(std::string_view key, const Items& items, Text&& text) {
  std::string out = fmt::format("{}=", key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ' ';
    out += text(items[i]);
  }
  return out + "\n";
}

// The sets of a tree's category splits.
struct CategoryWords {
  explicit CategoryWords(const Tree& tree) {
    for (std::size_t n = 0; n < tree.categories.size(); ++n) {
      if (!tree.tests_category(n)) continue;
      const std::size_t first = words.size();
      words.resize(first + tree.categories[n].back() / 32 + 1);
      for (const std::uint32_t number : tree.categories[n])
        words[first + number / 32] |= 1U << number % 32;
      boundaries.push_back(words.size());
    }
  }
  std::size_t count() const { return boundaries.size() - 1; }

  std::vector<std::size_t> boundaries = {0};
  std::vector<std::uint32_t> words;
};

std::vector<std::string> thresholds_and_sets(const Tree& tree) {
  std::vector<std::string> out;
  std::size_t sets = 0;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    out.push_back(tree.tests_category(n) ? fmt::format("{}", sets++)
                                         : double_text(last_double(tree.nodes[n].threshold)));
  return out;
}

std::string tree_block(const Tree& tree, std::size_t number) {
  using Node = Tree::Node;
  const CategoryWords sets(tree);
  std::string out =
      fmt::format("Tree={}\nnum_leaves={}\nnum_cat={}\n", number, tree.values.size(), sets.count());
  if (!tree.nodes.empty()) {
    const auto& nodes = tree.nodes;
    const auto whole = [](auto x) { return fmt::format("{}", x); };
    out += line("split_feature", nodes, [&](const Node& n) { return whole(n.feature); });
    out += line("split_gain", nodes, [](const Node& n) { return double_text(n.gain); });
    out += line("threshold", thresholds_and_sets(tree), [](const std::string& t) { return t; });
    out += line("decision_type", nodes, [&](const Node& n) {
      const auto at = static_cast<std::size_t>(&n - nodes.data());
      if (tree.tests_category(at)) return whole(kCategorySplit);
      return whole(n.missing == Node::Missing::left ? kNanLeft : kNanRight);
    });
    out += line("left_child", nodes, [&](const Node& n) { return whole(n.left); });
    out += line("right_child", nodes, [&](const Node& n) { return whole(n.right); });
    out += line("leaf_value", tree.values, double_text);
    out += line("leaf_count", tree.leaf_documents, whole);
    out += line("internal_count", nodes, [&](const Node& n) { return whole(n.documents); });
    if (sets.count() > 0) {
      out += line("cat_boundaries", sets.boundaries, whole);
      out += line("cat_threshold", sets.words, whole);
    }
  } else {
    out += line("leaf_value", tree.values, double_text);
  }
  return out + "is_linear=0\nshrinkage=1\n\n\n";
}

std::string feature_infos(const ExportTask& task, const Forest& forest) {
  const auto ranges = threshold_ranges(forest);
  const ExportedCategories& categories = task.model.categories;
  return line("feature_infos", ranges, [&](const ThresholdRange& r) {
    const auto feature = static_cast<std::size_t>(&r - ranges.data());
    if (categories.is_category(feature))
      return fmt::format("{}", fmt::join(categories.number_of[feature], ":"));
    return r.is_empty() ? std::string("none") : fmt::format("[{}:{}]", r.low, r.high);
  });
}

// One list of values for each category, in the order of the features.
std::string pandas_categorical(const ExportTask& task) {
  if (task.model.categories.empty() ||
      task.model.categories.numbers == ExportedCategories::Numbers::values)
    return "";
  nlohmann::json lists = nlohmann::json::array();
  for (const auto& category : task.model.schema.categories()) {
    nlohmann::json values = nlohmann::json::array();
    for (std::size_t code = 0; code < category.values.size(); ++code)
      values.push_back(category.values[code]);
    lists.push_back(std::move(values));
  }
  return "\npandas_categorical:" +
         lists.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

// Missing values go right, as unknown ones do.
void check_sets(const ExportTask& task, const Forest& forest) {
  for (const Tree& tree : forest.trees)
    for (std::size_t n = 0; n < tree.categories.size(); ++n)
      if (tree.tests_category(n) && tree.nodes[n].missing == Tree::Node::Missing::left)
        throw Error(ErrorCode::data,
                    fmt::format("cannot export to {}: a tree sends missing values of the category "
                                "'{}' elsewhere than unknown ones, which LightGBM cannot do",
                                task.exported.format, task.features()[tree.nodes[n].feature]));
}

void check_thresholds(const ExportTask& task, const Forest& forest) {
  for (const Tree& tree : forest.trees)
    for (const Tree::Node& node : tree.nodes)
      if (splits_lightgbm_zero(node.threshold))
        throw Error(
            ErrorCode::data,
            fmt::format("cannot export to {}: a tree splits feature '{}' at {}, and LightGBM "
                        "takes all values from -1e-35 to 1e-35 as 0; scale the feature up "
                        "before training",
                        task.exported.format, task.features()[node.feature], node.threshold));
}

}  // namespace

std::string lightgbm_text(const ExportTask& task, const Forest& forest) {
  check_thresholds(task, forest);
  check_sets(task, forest);
  const auto names = names_without_spaces(task.features(), task.exported.format);
  std::string out = fmt::format(
      "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
      "max_feature_idx={}\nobjective=lambdarank\nfeature_names={}\n",
      forest.features - 1, fmt::join(names, " "));
  out += feature_infos(task, forest) + "\n";
  for (std::size_t t = 0; t < forest.trees.size(); ++t) out += tree_block(forest.trees[t], t);
  return out + "end of trees\n\nparameters:\nend of parameters\n" + pandas_categorical(task);
}

}  // namespace podium
