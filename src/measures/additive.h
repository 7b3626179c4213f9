// Additive measures: Σ gain(label at rank r) · weight(r) over the first `depth` ranks. Under ties a
// group's documents share its ranks evenly, so the mean over all orders inside the groups is
// Σ over groups (mean gain) · (sum of weights) [McSherry08].
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "measures/labels.h"

namespace podium {

// The weight of ranks that all count the same.
inline constexpr auto kUndiscounted = [](std::size_t) { return 1.0; };

template <class Gain, class Weight>
double additive_value(std::span<const float> by_rank, std::size_t depth, Gain&& gain,
                      Weight&& weight) {
  double sum = 0;
  const std::size_t end = std::min(depth, by_rank.size());
  for (std::size_t r = 0; r < end; ++r) sum += gain(by_rank[r]) * weight(r);
  return sum;
}

template <class Gain, class Weight>
double additive_expected(const TieGroups& ties, std::size_t depth, Gain&& gain, Weight&& weight) {
  double sum = 0;
  const std::span<const float> labels = ties.ranking.by_rank;
  for_each_group(ties, depth, [&](std::size_t begin, std::size_t end) {
    if (end - begin == 1) {
      sum += gain(labels[begin]) * weight(begin);
      return;
    }
    double gains = 0, weights = 0;
    for (std::size_t r = begin; r < end; ++r) gains += gain(labels[r]);
    for (std::size_t r = begin; r < std::min(end, depth); ++r) weights += weight(r);
    sum += gains / static_cast<double>(end - begin) * weights;
  });
  return sum;
}

template <class Gain, class Weight>
double additive_swap(std::span<const float> by_rank, std::size_t depth, std::size_t i,
                     std::size_t j, Gain&& gain, Weight&& weight) {
  const double weight_i = i < depth ? weight(i) : 0;
  const double weight_j = j < depth ? weight(j) : 0;
  return (gain(by_rank[j]) - gain(by_rank[i])) * (weight_i - weight_j);
}

}  // namespace podium
