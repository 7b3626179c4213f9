// How a tree is grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace podium {

struct TreeOptions {
  enum class Shape {
    leaf_wise,  // leaf_wise.h
    oblivious,  // oblivious.h: max_depth is from 1 to kMostObliviousDepth, leaves plays no part
  } shape = Shape::leaf_wise;
  int leaves = 31;
  int max_depth = 0;            // 0: no limit
  std::int64_t min_docs = 20;   // on each side of a split
  double min_curvature = 1e-3;  // Σ second on each side of a split
  double l2 = 0;
  double category_l2 = 0;  // penalty on a split by category, per value (category_splits.h)
  double min_gain = 0;
  double feature_fraction = 1;  // of the features that are not constant, sampled per tree
  std::vector<std::int8_t> monotone = {};  // one per feature: +1, −1, 0; empty: no constraint
  // Groups of features that may meet in a branch, see interactions.h; empty: all may.
  std::vector<std::vector<std::uint32_t>> interactions = {};
  enum class LeafValue {
    newton,    // −G / (H + λ)
    gradient,  // −G / (documents + λ): second derivatives count as 1, also in gains
  } leaf_value = LeafValue::newton;
  // Histograms take 24 bytes per bin and leaf, up to this limit; beyond it those of the leaves with
  // the smallest gains are dropped, and computed again when needed.
  std::size_t histogram_bytes = std::size_t{512} << 20;
};

inline constexpr int kMostObliviousDepth = 16;

// Throws an Error that names the invalid option, for data with this many features.
void check(const TreeOptions& options, std::size_t features);

}  // namespace podium
