// The content of LightGBM's text model, checked: array sizes match, and the nodes form one tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

struct LightGbmTree {
  std::size_t line = 0;  // where it begins
  std::vector<std::uint32_t> split_feature;
  std::vector<double> threshold;
  std::vector<int> decision_type;  // bit 0 categorical, bit 1 default left, bits 2–3 missing type
  std::vector<std::int32_t> left_child, right_child;  // ≥ 0 a node, < 0 the leaf ~child
  std::vector<double> leaf_value;
  std::vector<double> split_gain;                         // may be empty
  std::vector<std::uint64_t> leaf_count, internal_count;  // may be empty

  static constexpr int kCategorical = 1, kDefaultLeft = 2;
  enum class Missing { none, zero, nan };
  Missing missing(std::size_t node) const {
    return static_cast<Missing>((decision_type[node] >> 2) & 3);
  }
};

struct LightGbmFile {
  std::string objective;
  std::vector<std::string> feature_names;
  enum class Output { sum, average } output = Output::sum;
  std::vector<LightGbmTree> trees;
};

// Throws an Error (data) with the line; features that Podium's trees cannot express (categories,
// linear leaves, several classes) are refused here.
LightGbmFile parse_lightgbm(std::string_view content, const std::string& file);

}  // namespace podium
