// RankLib's model files. Trees: an XML ensemble, one tag per line, left if x ≤ threshold in single
// precision, score = Σ weight · output. Linear: the name of a linear ranker, then `feature:weight`
// pairs on one line. Features are whole numbers ≥ 1.
#include <fmt/format.h>

#include "models/exporters/exporter.h"
#include "models/exporters/number_text.h"

namespace podium {
namespace {

FeatureNumbers numbers_of(const ExportTask& task) {
  FeatureNumbers numbers = feature_numbers(task.features());
  if (!numbers.are_names)
    task.exported.notes.push_back(
        fmt::format("features are numbered: 1 is '{}', {} is '{}', in the model's order",
                    task.features().front(), task.features().size(), task.features().back()));
  return numbers;
}

void append_node(const Tree& tree, std::int32_t at, std::size_t indent, std::string_view position,
                 const FeatureNumbers& numbers, std::string& out) {
  const std::string tabs(indent, '\t');
  out += position.empty() ? fmt::format("{}<split>\n", tabs)
                          : fmt::format("{}<split pos=\"{}\">\n", tabs, position);
  if (at < 0) {
    out += fmt::format("{}\t<output> {} </output>\n", tabs,
                       real_text(tree.values[static_cast<std::size_t>(~at)]));
  } else {
    const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
    out += fmt::format("{0}\t<feature> {1} </feature>\n{0}\t<threshold> {2} </threshold>\n", tabs,
                       numbers.of[node.feature], real_text(node.threshold));
    append_node(tree, node.left, indent + 1, "left", numbers, out);
    append_node(tree, node.right, indent + 1, "right", numbers, out);
  }
  out += tabs + "</split>\n";
}

}  // namespace

std::string ranklib_forest(const ExportTask& task, const Forest& forest) {
  const FeatureNumbers numbers = numbers_of(task);
  std::string out =
      fmt::format("## LambdaMART\n## No. of trees = {}\n\n<ensemble>\n", forest.trees.size());
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    out += fmt::format("\t<tree id=\"{}\" weight=\"1.0\">\n", t + 1);
    append_node(forest.trees[t], forest.trees[t].nodes.empty() ? ~0 : 0, 2, "", numbers, out);
    out += "\t</tree>\n";
  }
  return out + "</ensemble>\n";
}

std::string ranklib_linear(const ExportTask& task, const Linear& linear) {
  const FeatureNumbers numbers = numbers_of(task);
  std::string out = "## Coordinate Ascent\n";
  for (std::size_t f = 0; f < linear.weights.size(); ++f)
    out += fmt::format("{}{}:{}", f > 0 ? " " : "", numbers.of[f], real_text(linear.weights[f]));
  return out + "\n";
}

}  // namespace podium
