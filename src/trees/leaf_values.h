// The values of a tree's leaves, −G / (H + λ), from sums of the derivatives in full precision:
// numbers are rounded to multiples of 2⁻⁶² of the largest over all ranks and added as integers, so
// the bits depend neither on the order nor on how the documents are distributed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device/both.h"
#include "podium/context.h"
#include "trees/document_partition.h"

namespace podium {

struct LeafRange {
  std::size_t begin = 0, end = 0;  // in the partition
};

// A piece of a leaf, short enough for one task.
struct LeafPiece {
  std::size_t leaf, begin, end;
};
std::vector<LeafPiece> cut_leaves(std::span<const LeafRange> leaves);

// An integer of about a hundred bits, in two halves: 32 bits, and the rest with its sign. Sums of
// halves are the sum.
struct WideSum {
  std::int64_t low = 0, high = 0;

  PODIUM_BOTH WideSum& operator+=(std::int64_t x) {
    low += x & 0xFFFFFFFF;
    high += x >> 32;
    return *this;
  }
  PODIUM_BOTH WideSum& operator+=(const WideSum& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
};
// Numbers as integer multiples of 2^−shift; those up to `largest` stay below 2⁶².
class FixedPoint {
 public:
  explicit FixedPoint(double largest);

  double factor() const { return factor_; }
  PODIUM_BOTH static std::int64_t round(double x, double factor) {
#if defined(__CUDA_ARCH__)
    return __double2ll_rn(x * factor);
#else
    return std::llrint(x * factor);
#endif
  }
  double value(const WideSum& sum) const;

 private:
  int shift_;
  double factor_;
};

struct LeafSum {
  WideSum first, second;
};
// −G / (H + λ), or 0.
double leaf_value(const LeafSum& sum, const FixedPoint& first_point, const FixedPoint& second_point,
                  double l2);
// Adds up all ranks' sums.
void add_ranks(std::span<LeafSum> sums, Communicator& comm);

// Derivatives by document.
struct LeafDerivatives {
  std::span<const double> first;
  std::span<const double> second;  // empty: 1 for each document
  const DerivativeExtent& extent;  // of the documents of all leaves, over all ranks
};

// All ranks must call this. A leaf without curvature (H + λ ≤ 0) has the value 0, as has one whose
// value would not be finite.
std::vector<double> leaf_values(const LeafDerivatives& derivatives,
                                const DocumentPartition& partition,
                                std::span<const LeafRange> leaves, double l2, Context& context);

}  // namespace podium
