#include "models/exporters/xgboost_nodes.h"

#include <cmath>
#include <deque>

#include "models/exporters/thresholds.h"

namespace podium {

XgboostSplit xgboost_split(const Tree::Node& node) {
  const std::int32_t missing = node.missing == Tree::Node::Missing::left ? node.left : node.right;
  const float next = next_float(node.threshold);
  if (std::isinf(next)) return {-node.threshold, node.right, node.left, missing};
  return {next, node.left, node.right, missing};
}

XgboostSplit xgboost_split(const Tree& tree, std::size_t n) {
  const Tree::Node& node = tree.nodes[n];
  if (!tree.tests_category(n)) return xgboost_split(node);
  return {0, node.right, node.left,
          node.missing == Tree::Node::Missing::left ? node.left : node.right};
}

XgboostNodeIds::XgboostNodeIds(const Tree& tree)
    : node_(tree.nodes.size()), leaf_(tree.values.size()) {
  std::size_t next = 1;
  std::deque<std::size_t> open;
  if (!tree.nodes.empty()) open.push_back(0);
  for (; !open.empty(); open.pop_front())
    for (const XgboostSplit split = xgboost_split(tree, open.front());
         const std::int32_t child : {split.yes, split.no})
      if (child < 0) {
        leaf_[static_cast<std::size_t>(~child)] = next++;
      } else {
        node_[static_cast<std::size_t>(child)] = next++;
        open.push_back(static_cast<std::size_t>(child));
      }
}

}  // namespace podium
