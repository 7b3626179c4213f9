#include "trees/binned_tree.h"

#include <algorithm>

#include "trees/run_tasks.h"

namespace podium {
namespace {

constexpr std::size_t kWalkedChunk = 4096;

bool goes_left(const BinnedFeature& feature, const Split& split, std::uint32_t bin) {
  if (feature.has_missing && bin == feature.value_bins())
    return split.missing == Tree::Node::Missing::left;
  if (feature.is_category)
    return std::binary_search(split.left_bins.begin(), split.left_bins.end(), bin);
  return bin <= split.bin;
}

}  // namespace

std::uint32_t BinnedTree::leaf_of(std::size_t document) const {
  std::int32_t at = tree.nodes.empty() ? ~0 : 0;
  while (at >= 0) {
    const auto node = static_cast<std::size_t>(at);
    const Split& split = splits[node];
    const std::uint32_t bin = data.bin_of(split.column, document);
    at = goes_left(data.columns()[split.column], split, bin) ? tree.nodes[node].left
                                                             : tree.nodes[node].right;
  }
  return static_cast<std::uint32_t>(~at);
}

void walk_others(const BinnedTree& tree, std::span<const std::uint32_t> sample,
                 std::span<std::uint32_t> leaf_of, ThreadPool& pool) {
  const std::size_t n = leaf_of.size();
  run_tasks(pool, (n + kWalkedChunk - 1) / kWalkedChunk, 50 * n, [&](std::size_t chunk) {
    const std::size_t end = std::min(n, (chunk + 1) * kWalkedChunk);
    auto next = std::lower_bound(sample.begin(), sample.end(), chunk * kWalkedChunk);
    for (std::size_t d = chunk * kWalkedChunk; d < end; ++d) {
      if (next != sample.end() && *next == d)
        ++next;
      else
        leaf_of[d] = tree.leaf_of(d);
    }
  });
}

}  // namespace podium
