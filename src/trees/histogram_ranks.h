// Sums histograms of leaves over all ranks, many in one exchange. Only the columns in use are sent,
// and a bin takes as few 64-bit words as the leaf's size allows, so that words can be added without
// fields overflowing into each other (n documents in all, |first| ≤ 2047 n, second ≤ 1023 n):
//
//   n < 2¹⁴    one word      first · 2³⁸ + second · 2¹⁴ + documents
//   n < 2²⁶    two words     first;  second · 2²⁶ + documents
//   otherwise  three words
//
// A tree with L leaves sends L − 1 histograms (that of the root and of each smaller child; a
// sibling's is the difference to the parent's): 8, 16 or 24 bytes · bins in use · (L − 1) per rank,
// and some more if leaves are divided ahead (leaf_wise.h).
#pragma once

#include <cstdint>
#include <span>

#include "podium/communicator.h"
#include "trees/binned_dataset.h"
#include "trees/histogram.h"

namespace podium {

struct LeafHistogram {
  Histogram bins;
  std::int64_t documents = 0;  // of the leaf, over all ranks
};

// Collective: all ranks must call it, with the same leaves.
void add_ranks(std::span<const LeafHistogram> leaves, std::span<const std::uint32_t> columns,
               const BinnedDataset& data, Communicator& comm);

// The sums over a leaf's documents, from the bins of any feature.
DerivativeSums total_of(const BinnedFeature& feature, ConstHistogram histogram);

}  // namespace podium
