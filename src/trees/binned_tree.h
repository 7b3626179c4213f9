// A tree whose splits are known by bins: the leaves of documents that were not in its sample.
#pragma once

#include <cstdint>
#include <span>

#include "podium/thread_pool.h"
#include "trees/split_finder.h"

namespace podium {

struct BinnedTree {
  const BinnedDataset& data;
  const Tree& tree;
  std::span<const Split> splits;  // one per node

  std::uint32_t leaf_of(std::size_t document) const;
};

// Writes the leaves of all documents outside the sample, which is ascending.
void walk_others(const BinnedTree& tree, std::span<const std::uint32_t> sample,
                 std::span<std::uint32_t> leaf_of, ThreadPool& pool);

}  // namespace podium
