// Forests as C++: the arrays of all trees, concatenated, and a loop that walks down. The operations
// and their order are the same as in Podium, hence the same bits.
#include "models/exporters/cpp_header.h"

namespace podium {
namespace {

// A node ≥ 0 is a split, < 0 the leaf ~node, counted over all trees.
struct TreeTables {
  std::vector<std::int32_t> root, left, right;
  std::vector<std::uint32_t> feature;
  std::vector<float> threshold;
  std::vector<int> missing_left;
  std::vector<double> value;

  void add(const Tree& tree) {
    const auto nodes = static_cast<std::int32_t>(feature.size());
    const auto leaves = static_cast<std::int32_t>(value.size());
    const auto moved = [&](std::int32_t at) { return at < 0 ? at - leaves : at + nodes; };
    root.push_back(moved(tree.nodes.empty() ? ~0 : 0));
    for (const Tree::Node& node : tree.nodes)
      add_node(node.feature, node.threshold, node.missing, moved(node.left), moved(node.right));
    value.insert(value.end(), tree.values.begin(), tree.values.end());
  }
  // C++ has no empty arrays.
  void fill_empty() {
    if (feature.empty()) add_node(0, 0, Tree::Node::Missing::left, -1, -1);
    if (value.empty()) value = {0};
    if (root.empty()) root = {-1};
  }
  std::string text() const {
    return "// The node a tree starts at. A node >= 0 is a split, < 0 the leaf ~node.\n" +
           cpp_table("std::int32_t", "kRoot", root) +
           cpp_table("std::uint32_t", "kFeature", feature) +
           cpp_table("float", "kThreshold", threshold) +
           cpp_table("int", "kMissingLeft", missing_left) +
           cpp_table("std::int32_t", "kLeft", left) + cpp_table("std::int32_t", "kRight", right) +
           cpp_table("double", "kValue", value);
  }

 private:
  void add_node(std::uint32_t by, float at, Tree::Node::Missing missing, std::int32_t yes,
                std::int32_t no) {
    feature.push_back(by);
    threshold.push_back(at);
    missing_left.push_back(missing == Tree::Node::Missing::left ? 1 : 0);
    left.push_back(yes);
    right.push_back(no);
  }
};

constexpr const char* kSums =
    "  constexpr std::size_t kTrees = {}, kOutputs = {};\n"
    "  double outputs[kOutputs];\n"
    "  for (std::size_t k = 0; k < kOutputs; ++k) outputs[k] = kBase[k];\n"
    "{}"
    "  for (std::size_t t = 0; t < kTrees; ++t) {{\n"
    "    std::int32_t at = kRoot[t];\n"
    "    while (at >= 0) {{\n"
    "      const float x = features[kFeature[at]];\n"
    "      const bool left = x <= kThreshold[at] || (kMissingLeft[at] && std::isnan(x));\n"
    "      at = left ? kLeft[at] : kRight[at];\n"
    "    }}\n"
    "    outputs[t % kOutputs] += kValue[~at];\n"
    "  }}\n";

constexpr const char* kOffset =
    "  if (!std::isnan(features[kOffsetFeature[0]]))\n"
    "    for (double& output : outputs) output += features[kOffsetFeature[0]];\n";

constexpr const char* kSoftmax =
    "  double top = outputs[0], sum = 0, total = 0;\n"
    "  for (const double output : outputs) top = top < output ? output : top;\n"
    "  for (std::size_t k = 0; k < kOutputs; ++k) {\n"
    "    const double p = std::exp(outputs[k] - top);\n"
    "    sum += kLinkValues[k] * p;\n"
    "    total += p;\n"
    "  }\n"
    "  return sum / total;  // the mean under softmax\n";

constexpr const char* kCumulative =
    "  double mean = kLinkValues[0];\n"
    "  for (std::size_t k = 0; k < kOutputs; ++k) {\n"
    "    const double x = outputs[k];\n"
    "    const double p = x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));\n"
    "    mean += (kLinkValues[k + 1] - kLinkValues[k]) * p;\n"
    "  }\n"
    "  return mean;  // cumulative\n";

}  // namespace

CppParts cpp_parts(const ExportTask&, const Forest& forest) {
  TreeTables trees;
  for (const Tree& tree : forest.trees) trees.add(tree);
  trees.fill_empty();
  std::string tables = trees.text() + cpp_table("double", "kBase", forest.base);
  if (forest.offset_feature)
    tables += cpp_table("std::size_t", "kOffsetFeature",
                        std::vector<std::uint32_t>{*forest.offset_feature});
  if (forest.link.kind != Link::Kind::identity)
    tables += cpp_table("double", "kLinkValues", forest.link.values);
  std::string body = fmt::format(kSums, forest.trees.size(), forest.base.size(),
                                 forest.offset_feature ? kOffset : "");
  switch (forest.link.kind) {
    case Link::Kind::identity:
      body += "  return outputs[0];\n";
      break;
    case Link::Kind::softmax:
      body += kSoftmax;
      break;
    case Link::Kind::cumulative:
      body += kCumulative;
      break;
  }
  return {tables, body};
}

}  // namespace podium
