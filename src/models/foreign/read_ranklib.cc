// RankLib's arithmetic: trees in single precision, left if x ≤ threshold, Σ weight · output; linear
// models in double precision. An unknown value is 0.
#include "models/foreign/foreign_model.h"
#include "models/foreign/foreign_tree.h"
#include "models/importers/ranklib_file.h"

namespace podium {
namespace {

// Features of the file are numbers: the names if those are numbers, else the positions.
std::vector<std::size_t> places(std::span<const std::string> features) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : features) {
    if (name.empty() || name.size() > 9 || name[0] == '0' ||
        name.find_first_not_of("0123456789") != std::string::npos) {
      numbers.clear();
      break;
    }
    numbers.push_back(std::stoul(name));
  }
  std::vector<std::size_t> place;
  const auto set = [&](std::size_t number, std::size_t f) {
    if (number >= place.size()) place.resize(number + 1, features.size());
    place[number] = f;
  };
  for (std::size_t f = 0; f < features.size(); ++f) set(numbers.empty() ? f + 1 : numbers[f], f);
  return place;
}

class RankLibModel final : public ForeignModel {
 public:
  RankLibModel(RankLibFile file, std::span<const std::string> features)
      : file_(std::move(file)), place_(places(features)) {}

  double score(std::span<const float> features, std::vector<double>& tree_values) const override {
    tree_values.clear();
    if (!file_.weights.empty()) {
      double sum = 0;
      for (const auto& [feature, weight] : file_.weights)
        sum += weight * static_cast<double>(value(feature, features));
      return sum;
    }
    float sum = 0;
    for (const RankLibTree& tree : file_.ensembles.at(0)) {
      std::size_t at = 0;
      while (tree.nodes[at].feature > 0) {
        const RankLibTree::Node& node = tree.nodes[at];
        const bool left = value(node.feature, features) <= node.threshold;
        at = static_cast<std::size_t>(left ? node.left : node.right);
      }
      const auto output = static_cast<float>(tree.nodes[at].output);
      sum += static_cast<float>(tree.weight) * output;
      tree_values.push_back(tree.weight * output);
    }
    return sum;
  }
  Precision precision() const noexcept override {
    return file_.weights.empty() ? Precision::single : Precision::twofold;
  }

 private:
  float value(std::uint32_t number, std::span<const float> features) const {
    if (number >= place_.size() || place_[number] >= features.size())
      fail_foreign("it uses a feature that the model does not have");
    const float x = features[place_[number]];
    return x != x ? 0.0F : x;
  }

  RankLibFile file_;
  std::vector<std::size_t> place_;  // feature index by number
};

}  // namespace

std::unique_ptr<const ForeignModel> read_ranklib(std::string_view content,
                                                 std::span<const std::string> features) {
  return std::make_unique<RankLibModel>(parse_ranklib(content, "exported"), features);
}

}  // namespace podium
