// The values of a tree's leaves, −G / (H + λ), from sums of the derivatives in full precision:
// numbers are rounded to multiples of 2⁻⁶² of the largest over all ranks and added as integers, so
// the bits depend neither on the order nor on how the documents are distributed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "podium/context.h"
#include "trees/document_partition.h"

namespace podium {

struct LeafRange {
  std::size_t begin, end;  // in the partition
};

// All ranks must call this. `second` empty: 1 for each document. A leaf without curvature
// (H + λ ≤ 0) has the value 0, as has one whose value would not be finite.
std::vector<double> leaf_values(std::span<const double> first, std::span<const double> second,
                                const DocumentPartition& partition,
                                std::span<const LeafRange> leaves, double l2, Context& context);

}  // namespace podium
