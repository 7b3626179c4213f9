// LightGBM's decisions, on the arrays of its text file: values close to 0 are 0 (as for dense
// rows), a NaN is 0 unless the node's missing type specifies otherwise; all in double precision.
#include <cmath>

#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"
#include "models/importers/lightgbm_file.h"

namespace podium {
namespace {

constexpr double kZero = 1e-35F;  // LightGBM's kZeroThreshold, rounded to float as there

class LightGbmModel final : public ForeignModel {
 public:
  explicit LightGbmModel(LightGbmFile file) : file_(std::move(file)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    double sum = 0;
    for (const LightGbmTree& tree : file_.trees) {
      tree_values.push_back(tree.leaf_value[leaf(tree, features)]);
      sum += tree_values.back();
    }
    return sum;
  }
  Precision precision() const noexcept override { return Precision::twofold; }

 private:
  static bool is_in_set(const LightGbmTree& tree, std::size_t node, double x) {
    const std::vector<std::uint32_t> words = tree.set_words(node);
    if (!(x >= 0 && x < 32.0 * static_cast<double>(words.size()))) return false;
    const auto number = static_cast<std::size_t>(x);
    return (words[number / 32] >> number % 32 & 1) != 0;
  }

  static std::size_t leaf(const LightGbmTree& tree, std::span<const float> features) {
    std::int32_t at = tree.left_child.empty() ? ~0 : 0;
    while (at >= 0) {
      const auto node = static_cast<std::size_t>(at);
      double x = features[tree.split_feature[node]];
      if (tree.is_category(node)) {
        at = is_in_set(tree, node, x) ? tree.left_child[node] : tree.right_child[node];
        continue;
      }
      if (std::abs(x) <= kZero) x = 0;
      const auto missing = tree.missing(node);
      if (std::isnan(x) && missing != LightGbmTree::Missing::nan) x = 0;
      const bool is_missing = (missing == LightGbmTree::Missing::zero && x == 0) || std::isnan(x);
      const bool left = is_missing ? (tree.decision_type[node] & LightGbmTree::kDefaultLeft) != 0
                                   : x <= tree.threshold[node];
      at = left ? tree.left_child[node] : tree.right_child[node];
    }
    return static_cast<std::size_t>(~at);
  }

  LightGbmFile file_;
};

}  // namespace

std::unique_ptr<const ForeignModel> read_lightgbm_text(std::string_view content,
                                                       std::span<const std::string> features) {
  LightGbmFile file = parse_lightgbm(content, "exported");
  if (file.feature_names.size() != features.size())
    fail_foreign("it has a different number of features");
  return std::make_unique<LightGbmModel>(std::move(file));
}

}  // namespace podium
