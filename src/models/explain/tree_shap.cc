#include "models/explain/tree_shap.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "models/forest/forest.h"
#include "podium/error.h"

namespace podium {
namespace {

// Training documents below each node, summed from the leaves: consistent even if the nodes' stored
// counts are not.
std::vector<double> documents_below(const Tree& tree) {
  std::vector<double> below(tree.nodes.size());
  for (std::size_t n = tree.nodes.size(); n-- > 0;)
    for (const std::int32_t child : {tree.nodes[n].left, tree.nodes[n].right})
      below[n] += child < 0
                      ? static_cast<double>(tree.leaf_documents[static_cast<std::size_t>(~child)])
                      : below[static_cast<std::size_t>(child)];
  return below;
}

// The maximum number of different features on a path to a leaf.
std::size_t features_on_a_way(const Tree& tree) {
  constexpr std::size_t kDeepest = 1000;
  const std::size_t deepest = depth(tree);
  if (deepest > kDeepest)
    throw Error(ErrorCode::data,
                fmt::format("a tree has {} splits on one path; at most {} can be explained",
                            deepest, kDeepest));
  std::set<std::uint32_t> features;
  for (const Tree::Node& node : tree.nodes) features.insert(node.feature);
  return std::min(deepest, features.size());
}

}  // namespace

// Visits all leaves for one document. Holds the features on the current path, each once, and for
// every level the product of their factors at every quadrature point.
class TreeShap::Walk {
 public:
  Walk(const TreeShap& shap, const float* features, double factor, std::span<double> contributions)
      : shap_(shap), features_(features), factor_(factor), contributions_(contributions) {
    products_.emplace_back(shap.quadrature_.points.size(), 1.0);
  }

  void visit(std::int32_t at, std::size_t level) {
    if (at < 0) {
      finish(shap_.tree_.values[static_cast<std::size_t>(~at)], level);
      return;
    }
    const auto n = static_cast<std::size_t>(at);
    const Tree::Node& node = shap_.tree_.nodes[n];
    const std::int32_t own = shap_.tree_.child(n, features_[node.feature]);
    descend(node.feature, node.left, own == node.left, shap_.left_share_[n], level);
    descend(node.feature, node.right, own == node.right, 1 - shap_.left_share_[n], level);
  }

 private:
  struct Step {
    std::uint32_t feature;
    double known, unknown;  // o and z

    double at(double t) const { return (1 - t) * unknown + t * known; }
  };

  void descend(std::uint32_t feature, std::int32_t child, bool follows, double share,
               std::size_t level) {
    auto place = std::find_if(steps_.begin(), steps_.end(),
                              [feature](const Step& s) { return s.feature == feature; });
    const auto index = static_cast<std::size_t>(place - steps_.begin());
    const bool is_new = place == steps_.end();
    const Step before = is_new ? Step{feature, 1, 1} : *place;
    const Step after{feature, follows ? before.known : 0, before.unknown * share};
    if (after.known == 0 && after.unknown == 0) return;  // no document reaches it
    if (is_new)
      steps_.push_back(after);
    else
      steps_[index] = after;
    if (products_.size() == level + 1) products_.emplace_back(products_[level].size());
    const std::vector<double>& points = shap_.quadrature_.points;
    for (std::size_t k = 0; k < points.size(); ++k)
      products_[level + 1][k] = products_[level][k] / before.at(points[k]) * after.at(points[k]);
    visit(child, level + 1);
    if (is_new)
      steps_.pop_back();
    else
      steps_[index] = before;
  }

  void finish(double value, std::size_t level) {
    const auto& [points, weights] = shap_.quadrature_;
    for (const Step& step : steps_) {
      double integral = 0;
      for (std::size_t k = 0; k < points.size(); ++k)
        integral += weights[k] * products_[level][k] / step.at(points[k]);
      contributions_[step.feature] += factor_ * value * (step.known - step.unknown) * integral;
    }
  }

  const TreeShap& shap_;
  const float* features_;
  double factor_;
  std::span<double> contributions_;
  std::vector<Step> steps_;
  std::vector<std::vector<double>> products_;
};

TreeShap::TreeShap(const Tree& tree)
    : tree_(tree), quadrature_(gauss_legendre((features_on_a_way(tree) + 1) / 2)) {
  const std::vector<double> below = documents_below(tree);
  std::vector<double> share(tree.nodes.size());  // fraction of all documents that pass the node
  if (!share.empty()) share[0] = 1;
  expected_ = tree.nodes.empty() ? tree.values[0] : 0;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Tree::Node& node = tree.nodes[n];
    const double left =
        node.left < 0
            ? static_cast<double>(tree.leaf_documents[static_cast<std::size_t>(~node.left)])
            : below[static_cast<std::size_t>(node.left)];
    left_share_.push_back(below[n] > 0 ? left / below[n] : 0.5);
    const double shares[] = {share[n] * left_share_[n], share[n] * (1 - left_share_[n])};
    const std::int32_t children[] = {node.left, node.right};
    for (std::size_t side = 0; side < 2; ++side) {
      if (children[side] < 0)
        expected_ += shares[side] * tree.values[static_cast<std::size_t>(~children[side])];
      else
        share[static_cast<std::size_t>(children[side])] = shares[side];
    }
  }
}

void TreeShap::add(const float* features, double factor, std::span<double> contributions) const {
  if (tree_.nodes.empty()) return;
  Walk(*this, features, factor, contributions).visit(0, 0);
}

}  // namespace podium
