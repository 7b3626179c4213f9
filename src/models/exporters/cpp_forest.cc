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
  std::vector<std::size_t> category_begin = {0};
  std::vector<float> category;

  void add(const Tree& tree) {
    const auto nodes = static_cast<std::int32_t>(feature.size());
    const auto leaves = static_cast<std::int32_t>(value.size());
    const auto moved = [&](std::int32_t at) { return at < 0 ? at - leaves : at + nodes; };
    root.push_back(moved(tree.nodes.empty() ? ~0 : 0));
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Tree::Node& node = tree.nodes[n];
      add_node(node.feature, node.threshold, node.missing, moved(node.left), moved(node.right));
      if (tree.tests_category(n))
        category.insert(category.end(), tree.categories[n].begin(), tree.categories[n].end());
      category_begin.push_back(category.size());
    }
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
  std::string category_text() const {
    return "// A split with categories kCategoryBegin[node] to kCategoryBegin[node + 1] - 1, "
           "ascending:\n"
           "// these go left, all others right.\n" +
           cpp_table("std::size_t", "kCategoryBegin", category_begin) +
           cpp_table("float", "kCategory", category);
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

// How a node decides.
constexpr const char* kByNumber =
    "      const bool left = x <= kThreshold[at] || (kMissingLeft[at] && std::isnan(x));\n";
constexpr const char* kBySet =
    "      bool left = std::isnan(x) ? kMissingLeft[at] != 0 : x <= kThreshold[at];\n"
    "      const std::size_t end = kCategoryBegin[at + 1];\n"
    "      if (kCategoryBegin[at] < end && !std::isnan(x)) {\n"
    "        std::size_t low = kCategoryBegin[at], high = end;\n"
    "        while (low < high) {\n"
    "          const std::size_t middle = low + (high - low) / 2;\n"
    "          if (kCategory[middle] < x)\n"
    "            low = middle + 1;\n"
    "          else\n"
    "            high = middle;\n"
    "        }\n"
    "        left = low < end && kCategory[low] == x;\n"
    "      }\n";

constexpr const char* kSums =
    "  constexpr std::size_t kTrees = {}, kOutputs = {};\n"
    "  double outputs[kOutputs];\n"
    "  for (std::size_t k = 0; k < kOutputs; ++k) outputs[k] = kBase[k];\n"
    "{}"
    "  for (std::size_t t = 0; t < kTrees; ++t) {{\n"
    "    std::int32_t at = kRoot[t];\n"
    "    while (at >= 0) {{\n"
    "      const float x = features[kFeature[at]];\n"
    "{}"
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

std::string cpp_category_names(const ExportTask& task) {
  if (task.model.schema.all_numbers() ||
      task.model.categories.numbers == ExportedCategories::Numbers::values)
    return "";
  std::string out =
      "// The categories of feature N: a value is given as its place in kValuesOfN.\n";
  for (const auto& category : task.model.schema.categories()) {
    std::vector<std::string> values;
    for (std::size_t code = 0; code < category.values.size(); ++code)
      values.emplace_back(category.values[code]);
    out += cpp_texts(fmt::format("kValuesOf{}", category.feature), values);
  }
  return out;
}

CppParts cpp_parts(const ExportTask& task, const Forest& forest) {
  TreeTables trees;
  for (const Tree& tree : forest.trees) trees.add(tree);
  trees.fill_empty();
  std::string tables = trees.text() + cpp_table("double", "kBase", forest.base);
  if (!trees.category.empty()) tables += trees.category_text() + cpp_category_names(task);
  if (forest.offset_feature)
    tables += cpp_table("std::size_t", "kOffsetFeature",
                        std::vector<std::uint32_t>{*forest.offset_feature});
  if (forest.link.kind != Link::Kind::identity)
    tables += cpp_table("double", "kLinkValues", forest.link.values);
  std::string body = fmt::format(kSums, forest.trees.size(), forest.base.size(),
                                 forest.offset_feature ? kOffset : "",
                                 trees.category.empty() ? kByNumber : kBySet);
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
