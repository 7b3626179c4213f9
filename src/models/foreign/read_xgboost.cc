// XGBoost's dump as the LTR plugins of Elasticsearch and OpenSearch parse it, strictly: only keys
// that they know, two children `yes` and `no` in this order, `no` numbered after `yes`. All in
// single precision, to `yes` if x < split_condition. Also the plugins' linear models.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"

namespace podium {
namespace {

using ForeignJson = nlohmann::json;

void allow_only(const ForeignJson& json, std::span<const std::string_view> keys) {
  for (const auto& [key, value] : json.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      fail_foreign(fmt::format("it has the key '{}', which the plugins refuse", key));
}

std::size_t read_node(const ForeignJson& json, std::span<const std::string> features,
                      ForeignTree& tree) {
  static constexpr std::array<std::string_view, 8> kSplit = {
      "nodeid", "depth", "split", "split_condition", "yes", "no", "missing", "children"};
  static constexpr std::array<std::string_view, 2> kLeaf = {"nodeid", "leaf"};
  const std::size_t at = tree.size();
  tree.emplace_back();
  if (json.contains("leaf")) {
    allow_only(json, kLeaf);
    tree[at].value = static_cast<double>(json.at("leaf").get<float>());
    return at;
  }
  allow_only(json, kSplit);
  const ForeignJson& children = json.at("children");
  if (children.size() != 2 || children[0].at("nodeid") != json.at("yes") ||
      children[1].at("nodeid") != json.at("no") || json.at("depth").get<int>() < 0)
    fail_foreign("a split's children are not its yes and no");
  if (json.at("no").get<int>() != json.at("yes").get<int>() + 1)  // where XGBoost expects it
    fail_foreign("a split's children are not numbered side by side");
  if (json.at("missing") != json.at("yes") && json.at("missing") != json.at("no"))
    fail_foreign("a split sends missing values to neither child");
  const auto missing = json.at("missing") == json.at("yes") ? ForeignNode::Missing::left
                                                            : ForeignNode::Missing::right;
  const std::size_t yes = read_node(children[0], features, tree);
  const std::size_t no = read_node(children[1], features, tree);
  tree[at] = {find_name(features, json.at("split").get<std::string>()),
              static_cast<double>(json.at("split_condition").get<float>()),
              yes,
              no,
              missing,
              0};
  return at;
}

class XgboostTrees final : public ForeignModel {
 public:
  explicit XgboostTrees(std::vector<ForeignTree> trees) : trees_(std::move(trees)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    float sum = 0;
    for (const ForeignTree& tree : trees_) {
      tree_values.push_back(value_of(tree, features, [](float x, double threshold) {
        return x < static_cast<float>(threshold);
      }));
      sum += static_cast<float>(tree_values.back());
    }
    return sum;
  }
  Precision precision() const noexcept override { return Precision::single; }

 private:
  std::vector<ForeignTree> trees_;
};

class PluginLinear final : public ForeignModel {
 public:
  explicit PluginLinear(std::vector<float> weights) : weights_(std::move(weights)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    float sum = 0;
    for (std::size_t f = 0; f < weights_.size(); ++f)
      sum += weights_[f] * (features[f] != features[f] ? 0.0F : features[f]);
    return sum;
  }
  Precision precision() const noexcept override { return Precision::single; }

 private:
  std::vector<float> weights_;
};

std::unique_ptr<const ForeignModel> read_linear(const ForeignJson& definition,
                                                std::span<const std::string> features) {
  std::vector<float> weights(features.size());
  for (const auto& [name, weight] : definition.items())
    weights[static_cast<std::size_t>(find_name(features, name))] = weight.get<float>();
  return std::make_unique<PluginLinear>(std::move(weights));
}

}  // namespace

std::unique_ptr<const ForeignModel> read_xgboost_dump(std::string_view content,
                                                      std::span<const std::string> features) {
  const ForeignJson json = parse_foreign(content);
  std::vector<ForeignTree> trees;
  try {
    if (!json.is_array()) fail_foreign("it is not an array of trees");
    for (const ForeignJson& tree : json) {
      trees.emplace_back();
      read_node(tree, features, trees.back());
    }
  } catch (const ForeignJson::exception& error) {
    fail_foreign(error.what());
  }
  return std::make_unique<XgboostTrees>(std::move(trees));
}

std::unique_ptr<const ForeignModel> read_elasticsearch(std::string_view content,
                                                       std::span<const std::string> features) {
  const ForeignJson json = parse_foreign(content);
  try {
    const ForeignJson& model = json.at("model").at("model");
    const std::string definition = model.at("definition").get<std::string>();
    if (model.at("type") == "model/linear") return read_linear(parse_foreign(definition), features);
    if (model.at("type") != "model/xgboost+json") fail_foreign("it has an unknown type of model");
    return read_xgboost_dump(definition, features);
  } catch (const ForeignJson::exception& error) {
    fail_foreign(error.what());
  }
}

}  // namespace podium
