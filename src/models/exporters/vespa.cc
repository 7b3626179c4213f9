// LightGBM's JSON dump as Vespa imports it. Vespa tests x < threshold, uses default_left for any
// missing type, and requires pandas_categorical.
#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"
#include "models/exporters/thresholds.h"

namespace podium {
namespace {

std::string node_text(const Tree& tree, std::int32_t at) {
  if (at < 0) {
    const auto leaf = static_cast<std::size_t>(~at);
    return fmt::format(R"({{"leaf_index":{},"leaf_value":{},"leaf_count":{}}})", leaf,
                       real_text(tree.values[leaf]), tree.leaf_documents[leaf]);
  }
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
  return fmt::format(
      R"({{"split_index":{},"split_feature":{},"split_gain":{},"threshold":{},)"
      R"("decision_type":"<=","default_left":{},"missing_type":"NaN","internal_count":{},)"
      R"("left_child":{},"right_child":{}}})",
      at, node.feature, real_text(node.gain), real_text(first_double_above(node.threshold)),
      node.missing == Tree::Node::Missing::left, node.documents, node_text(tree, node.left),
      node_text(tree, node.right));
}

}  // namespace

std::string vespa_forest(const ExportTask& task, const Forest& forest) {
  const std::vector<ThresholdRange> ranges = threshold_ranges(forest);
  std::string names, infos;
  for (std::size_t f = 0; f < forest.features; ++f) {
    const std::string name = json_text(task.features()[f]);
    names += (f > 0 ? "," : "") + name;
    if (ranges[f].is_empty()) continue;
    infos += fmt::format(R"({}{}:{{"min_value":{},"max_value":{},"values":[]}})",
                         infos.empty() ? "" : ",", name, real_text(ranges[f].low),
                         real_text(ranges[f].high));
  }
  std::string out = fmt::format(
      "{{\"name\":\"tree\",\"version\":\"v4\",\"num_class\":1,\"num_tree_per_iteration\":1,\n"
      "\"label_index\":0,\"max_feature_idx\":{},\"objective\":\"lambdarank\","
      "\"average_output\":false,\n\"feature_names\":[{}],\n\"feature_infos\":{{{}}},\n"
      "\"pandas_categorical\":[],\n\"tree_info\":[",
      forest.features - 1, names, infos);
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    out += fmt::format(
        "{}\n{{\"tree_index\":{},\"num_leaves\":{},\"num_cat\":0,\"shrinkage\":1.0,"
        "\"tree_structure\":{}}}",
        t > 0 ? "," : "", t, tree.values.size(), node_text(tree, tree.nodes.empty() ? ~0 : 0));
  }
  return out + "]}\n";
}

}  // namespace podium
