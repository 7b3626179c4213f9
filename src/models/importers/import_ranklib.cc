// RankLib's ensembles and stumps as forests, its linear models as linear ones. RankLib treats an
// unknown value as 0.
#include <algorithm>

#include <fmt/format.h>

#include "models/importers/importer.h"
#include "models/importers/ranklib_file.h"

namespace podium {
namespace {

// A feature number beyond this means a damaged file, not a wide model.
constexpr std::uint32_t kMaxFeatures = 1'000'000;

std::vector<std::string> numbers_to(std::uint32_t last, const std::string& file) {
  if (last == 0) throw Error(ErrorCode::data, "the model uses no feature", {file});
  if (last > kMaxFeatures)
    throw Error(ErrorCode::data,
                fmt::format("feature {} is beyond the {} that are read", last, kMaxFeatures),
                {file});
  std::vector<std::string> names;
  for (std::uint32_t f = 1; f <= last; ++f) names.push_back(std::to_string(f));
  return names;
}

Tree convert(const RankLibTree& from, double factor) {
  Tree tree;
  std::vector<std::int32_t> number;  // by node of the file: a node, or ~leaf
  std::int32_t nodes = 0, leaves = 0;
  for (const RankLibTree::Node& node : from.nodes)
    number.push_back(node.feature == 0 ? ~leaves++ : nodes++);
  for (const RankLibTree::Node& node : from.nodes) {
    if (node.feature == 0) {
      tree.values.push_back(node.output * from.weight * factor);
      continue;
    }
    tree.nodes.push_back({node.feature - 1, node.threshold, side_of_zero(node.threshold),
                          number[static_cast<std::size_t>(node.left)],
                          number[static_cast<std::size_t>(node.right)], 0, 0});
  }
  tree.leaf_documents.resize(tree.values.size());
  return tree;
}

Tree stump(const RankLibFile::Threshold& from, const std::string& file) {
  Tree tree;
  tree.nodes = {{from.feature - 1, float_threshold(from.threshold, {file}),
                 side_of_zero(from.threshold), ~0, ~1, 0, 0}};
  tree.values = {0, from.weight};
  tree.leaf_documents = {0, 0};
  return tree;
}

Linear linear_of(const RankLibFile& read, std::size_t features) {
  Linear linear;
  linear.weights.resize(features);
  for (const auto& [feature, weight] : read.weights)
    (feature == 0 ? linear.bias : linear.weights[feature - 1]) += weight;
  return linear;
}

}  // namespace

ImportedModel import_ranklib(std::string_view content, const std::string& file,
                             const ImportOptions&) {
  const RankLibFile read = parse_ranklib(content, file);
  ImportedModel out;
  std::uint32_t last = 0;
  for (const auto& [feature, weight] : read.weights) last = std::max(last, feature);
  for (const auto& term : read.thresholds) last = std::max(last, term.feature);
  for (const auto& ensemble : read.ensembles)
    for (const RankLibTree& tree : ensemble)
      for (const RankLibTree::Node& node : tree.nodes) last = std::max(last, node.feature);
  out.model.features = numbers_to(last, file);
  out.model.loss = read.ranker;
  if (!read.weights.empty()) {
    const Linear linear = linear_of(read, last);
    if (linear.bias != 0)
      out.notes.push_back(fmt::format("feature 0 of {} is the bias, {}", read.ranker, linear.bias));
    out.model.model = linear;
    return out;
  }
  Forest forest;
  forest.features = last;
  const double factor = 1.0 / static_cast<double>(std::max<std::size_t>(1, read.ensembles.size()));
  for (const auto& ensemble : read.ensembles)
    for (const RankLibTree& tree : ensemble) forest.trees.push_back(convert(tree, factor));
  for (const auto& term : read.thresholds) forest.trees.push_back(stump(term, file));
  out.model.missing = "split";
  out.model.model = std::move(forest);
  return out;
}

}  // namespace podium
