// A Transform applied to one data set: which column each kept feature comes from, and which outputs
// it becomes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "podium/transform.h"

namespace podium {

// A kept feature that is a category: its code, passed to the output unchanged or encoded.
struct CategoryStep {
  std::size_t kept = 0;
  std::optional<std::vector<float>> codes;  // by old code; nullopt: unchanged
  const CategoryEncoding* encoding = nullptr;
  std::vector<std::uint32_t> buckets = {};  // hash: by code
  // Target: in the training data, one statistic per document; otherwise empty.
  std::vector<float> ordered = {};

  float operator()(float x) const {
    if (!codes || std::isnan(x)) return x;
    const auto code = code_of(x, codes->size());
    return code ? (*codes)[*code] : std::numeric_limits<float>::quiet_NaN();
  }
};

// Kept features are numbered in the transform's order.
struct TransformPlan {
  const Transform& transform;
  std::vector<std::size_t> source;     // kept feature → input column
  std::vector<std::size_t> out_begin;  // kept feature → first output column; one more at the end
  float absent = 0;                    // of the input
  float absent_output = 0;
  FeatureSchema schema;                  // of the kept features
  std::vector<CategoryStep> categories;  // by kept feature
  // Sparse input only: input column → kept feature, or kDropped.
  std::vector<std::uint32_t> kept;
  static constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();

  bool binned() const noexcept { return !transform.thresholds.empty(); }
  bool imputes() const noexcept { return transform.imputation != Imputation::none; }
  std::size_t outputs() const noexcept { return out_begin.back(); }
  bool is_absent(float x) const noexcept {
    return std::isnan(absent_output) ? std::isnan(x) : x == 0;
  }
  // Null for a number.
  const CategoryStep* category(std::size_t k) const {
    const auto found =
        std::lower_bound(categories.begin(), categories.end(), k,
                         [](const CategoryStep& step, std::size_t f) { return step.kept < f; });
    return found != categories.end() && found->kept == k ? &*found : nullptr;
  }
};

TransformPlan plan_transform(const Transform& transform, const Dataset& data);
// The names of the outputs, and their types.
std::vector<std::string> output_names(const TransformPlan& plan, const Dataset& data);
FeatureSchema output_schema(const TransformPlan& plan);

}  // namespace podium
