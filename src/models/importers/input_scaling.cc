#include "models/importers/input_scaling.h"

#include <bit>
#include <cmath>
#include <limits>

namespace podium {
namespace {

// Floats in their order as whole numbers.
std::int64_t rank_of(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits >= 0 ? bits : std::int64_t{INT32_MIN} - bits;
}
float float_of(std::int64_t rank) {
  const auto bits = rank >= 0 ? rank : std::int64_t{INT32_MIN} - rank;
  return std::bit_cast<float>(static_cast<std::int32_t>(bits));
}

// The largest finite x that is at most the threshold when scaled; −∞ if there is none.
double unscaled(const InputScaling& scaling, float threshold) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  if (!(scaling.of(-kLargest) <= threshold)) return -HUGE_VAL;
  if (scaling.of(kLargest) <= threshold) return static_cast<double>(kLargest);
  std::int64_t low = rank_of(-kLargest), high = rank_of(kLargest);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (scaling.of(float_of(middle)) <= threshold ? low : high) = middle;
  }
  return static_cast<double>(float_of(low));
}

}  // namespace

void unscale(std::vector<ImportedTree>& trees, const std::vector<InputScaling>& scaling) {
  for (ImportedTree& tree : trees)
    for (ImportedNode& node : tree) {
      if (node.feature < 0) continue;
      const InputScaling& input = scaling[static_cast<std::size_t>(node.feature)];
      if (input.is_identity()) continue;
      const auto missing = node.missing == Tree::Node::Missing::left ? ImportedSplit::Missing::yes
                                                                     : ImportedSplit::Missing::no;
      node = to_node({node.feature, ImportedSplit::Test::at_most, unscaled(input, node.threshold),
                      node.left, node.right, missing},
                     {});
    }
}

void unscale(Linear& linear, const std::vector<InputScaling>& scaling) {
  for (std::size_t f = 0; f < scaling.size(); ++f) {
    const double weight = linear.weights[f] / static_cast<double>(scaling[f].divisor);
    linear.bias -= weight * static_cast<double>(scaling[f].offset);
    linear.weights[f] = weight;
  }
}

}  // namespace podium
