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

  std::vector<std::size_t> cat_boundaries;   // in words of cat_threshold, by category split
  std::vector<std::uint32_t> cat_threshold;  // bits of the numbers that go left

  bool is_category(std::size_t node) const { return (decision_type[node] & kCategorical) != 0; }
  // Of a category split, whose threshold is its number.
  std::vector<std::uint32_t> set_words(std::size_t node) const {
    const auto set = static_cast<std::size_t>(threshold[node]);
    return {cat_threshold.begin() + static_cast<std::ptrdiff_t>(cat_boundaries[set]),
            cat_threshold.begin() + static_cast<std::ptrdiff_t>(cat_boundaries[set + 1])};
  }

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
  std::vector<std::vector<std::uint32_t>> categories;  // by feature: its numbers, if the file says
  std::string pandas_categorical;                      // JSON: names by category and number; or ""
};

// Throws an Error (data) with the line; features that Podium's trees cannot express (linear leaves,
// several classes) are refused here.
LightGbmFile parse_lightgbm(std::string_view content, const std::string& file);

}  // namespace podium
