// XGBoost's own predictions from its model file: to the left where x < condition, missing values to
// the default side, and a sum of base_score and leaves, in single precision.
#include <algorithm>

#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"
#include "models/importers/xgboost_file.h"

namespace podium {
namespace {

class XgboostModel final : public ForeignModel {
 public:
  explicit XgboostModel(XgboostFile file) : file_(std::move(file)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    float sum = file_.base_margin;
    for (const XgboostTree& tree : file_.trees) {
      const float value = tree.condition[leaf(tree, features)] * tree.weight;
      tree_values.push_back(static_cast<double>(value));
      sum += value;
    }
    return static_cast<double>(sum);
  }
  Precision precision() const noexcept override { return Precision::single; }

 private:
  static bool is_in(const std::vector<std::uint32_t>& set, float x) {
    return std::any_of(set.begin(), set.end(),
                       [x](std::uint32_t number) { return static_cast<float>(number) == x; });
  }

  static std::size_t leaf(const XgboostTree& tree, std::span<const float> features) {
    std::size_t at = 0;
    while (tree.left[at] >= 0) {
      const float x = features[static_cast<std::size_t>(tree.feature[at])];
      const bool left = x != x                         ? tree.default_left[at]
                        : tree.categories.contains(at) ? !is_in(tree.categories.at(at), x)
                                                       : x < tree.condition[at];
      at = static_cast<std::size_t>(left ? tree.left[at] : tree.right[at]);
      if (at >= tree.left.size()) fail_foreign("a node leads to none");
    }
    return at;
  }

  XgboostFile file_;
};

}  // namespace

std::unique_ptr<const ForeignModel> read_xgboost_model(std::string_view content,
                                                       std::span<const std::string> features) {
  XgboostFile file = parse_xgboost(content, "exported");
  if (file.features != features.size()) fail_foreign("it has a different number of features");
  if (!file.feature_names.empty() &&
      !std::equal(features.begin(), features.end(), file.feature_names.begin()))
    fail_foreign("its features have different names");
  return std::make_unique<XgboostModel>(std::move(file));
}

}  // namespace podium
