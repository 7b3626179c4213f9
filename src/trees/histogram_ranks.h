// A leaf's histogram over all ranks. Only the columns in use travel, and a bin takes as few 64-bit
// words as the leaf's size allows, so that words add up without the fields running into each other
// (n documents in all, |first| ≤ 2047 n, second ≤ 1023 n):
//
//   n < 2¹⁴    one word      first · 2³⁸ + second · 2¹⁴ + documents
//   n < 2²⁶    two words     first;  second · 2²⁶ + documents
//   otherwise  three words
//
// A tree of L leaves sends L − 1 histograms (the root's and each smaller child's; a sibling's is
// what is left of the parent's): 8, 16 or 24 bytes · bins in use · (L − 1) a rank.
#pragma once

#include <cstdint>
#include <span>

#include "podium/communicator.h"
#include "trees/binned_dataset.h"
#include "trees/histogram.h"

namespace podium {

// All ranks must call this. `documents`: of the leaf, over all ranks.
void add_ranks(Histogram histogram, std::span<const std::uint32_t> columns,
               const BinnedDataset& data, std::int64_t documents, Communicator& comm);

// The sums over a leaf's documents: every feature's bins hold them all.
DerivativeSums total_of(const BinnedFeature& feature, ConstHistogram histogram);

}  // namespace podium
