// LightGBM's text model: `key=value` lines, one block per tree. A child ≥ 0 is a node, < 0 the leaf
// ~child; left if x ≤ threshold, in double precision. decision_type 8 is "NaN goes right", 10 "NaN
// goes left". LightGBM treats values within ±10⁻³⁵ as 0, so a threshold among them (other than 0
// itself) is refused. Lines that would be empty are left out, as treelite requires. The range in
// feature_infos is that of the thresholds: the model does not store that of the training data.
#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/thresholds.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr int kNanRight = 8, kNanLeft = 10;

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

std::string tree_block(const Tree& tree, std::size_t number) {
  using Node = Tree::Node;
  std::string out = fmt::format("Tree={}\nnum_leaves={}\nnum_cat=0\n", number, tree.values.size());
  if (!tree.nodes.empty()) {
    const auto& nodes = tree.nodes;
    const auto whole = [](auto x) { return fmt::format("{}", x); };
    out += line("split_feature", nodes, [&](const Node& n) { return whole(n.feature); });
    out += line("split_gain", nodes, [](const Node& n) { return double_text(n.gain); });
    out += line("threshold", nodes,
                [](const Node& n) { return double_text(last_double(n.threshold)); });
    out += line("decision_type", nodes, [&](const Node& n) {
      return whole(n.missing == Node::Missing::left ? kNanLeft : kNanRight);
    });
    out += line("left_child", nodes, [&](const Node& n) { return whole(n.left); });
    out += line("right_child", nodes, [&](const Node& n) { return whole(n.right); });
    out += line("leaf_value", tree.values, double_text);
    out += line("leaf_count", tree.leaf_documents, whole);
    out += line("internal_count", nodes, [&](const Node& n) { return whole(n.documents); });
  } else {
    out += line("leaf_value", tree.values, double_text);
  }
  return out + "is_linear=0\nshrinkage=1\n\n\n";
}

std::string feature_infos(const Forest& forest) {
  return line("feature_infos", threshold_ranges(forest), [](const ThresholdRange& r) {
    return r.is_empty() ? std::string("none") : fmt::format("[{}:{}]", r.low, r.high);
  });
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
  const auto names = names_without_spaces(task.features(), task.exported.format);
  std::string out = fmt::format(
      "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n"
      "max_feature_idx={}\nobjective=lambdarank\nfeature_names={}\n",
      forest.features - 1, fmt::join(names, " "));
  out += feature_infos(forest) + "\n";
  for (std::size_t t = 0; t < forest.trees.size(); ++t) out += tree_block(forest.trees[t], t);
  return out + "end of trees\n\nparameters:\nend of parameters\n";
}

}  // namespace podium
