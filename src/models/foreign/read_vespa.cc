// LightGBM's JSON as Vespa reads it: x < threshold in double precision, and default_left decides
// for missing values.
#include <fmt/format.h>

#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"

namespace podium {
namespace {

using ForeignJson = nlohmann::json;

std::size_t read_node(const ForeignJson& json, std::size_t features, ForeignTree& tree) {
  const std::size_t at = tree.size();
  tree.emplace_back();
  if (!json.contains("left_child")) {
    tree[at].value = json.at("leaf_value").get<double>();
    return at;
  }
  if (json.at("decision_type") != "<=") fail_foreign("it has an unknown decision_type");
  const auto feature = json.at("split_feature").get<std::size_t>();
  if (feature >= features) fail_foreign("it splits by a feature that is not there");
  const auto missing = json.at("default_left").get<bool>() ? ForeignNode::Missing::left
                                                           : ForeignNode::Missing::right;
  const std::size_t left = read_node(json.at("left_child"), features, tree);
  const std::size_t right = read_node(json.at("right_child"), features, tree);
  tree[at] = {static_cast<std::int64_t>(feature),
              json.at("threshold").get<double>(),
              left,
              right,
              missing,
              0};
  return at;
}

class VespaModel final : public ForeignModel {
 public:
  explicit VespaModel(std::vector<ForeignTree> trees) : trees_(std::move(trees)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    double sum = 0;
    for (const ForeignTree& tree : trees_) {
      tree_values.push_back(
          value_of(tree, features, [](double x, double threshold) { return x < threshold; }));
      sum += tree_values.back();
    }
    return sum;
  }
  Precision precision() const noexcept override { return Precision::twofold; }

 private:
  std::vector<ForeignTree> trees_;
};

}  // namespace

std::unique_ptr<const ForeignModel> read_vespa(std::string_view content,
                                               std::span<const std::string> features) {
  const ForeignJson json = parse_foreign(content);
  std::vector<ForeignTree> trees;
  try {
    if (!json.at("pandas_categorical").is_array() || !json.at("objective").is_string() ||
        json.at("feature_names").size() != features.size())
      fail_foreign("its header is not as Vespa requires");
    for (const ForeignJson& info : json.at("tree_info")) {
      trees.emplace_back();
      read_node(info.at("tree_structure"), features.size(), trees.back());
    }
  } catch (const ForeignJson::exception& error) {
    fail_foreign(error.what());
  }
  return std::make_unique<VespaModel>(std::move(trees));
}

}  // namespace podium
