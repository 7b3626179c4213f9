// The walk over the first τ ranks of one query in slabs of α, for additive measures: the fast path
// for nearly all queries, many documents at a time (Highway).
//
// A slab is an interval of α, with the documents that may be among the first τ inside it
// (slab_pools-inl.h). The line is divided at sampled crossings, and slabs with many documents
// again. With few documents, all pairs are checked: a crossing of two with different gains among
// the first τ is a jump (slab_crossings-inl.h, slab_block-inl.h).
//
// Bundles of lines through one point, and τ above kDeepestSlabTop, are left to KineticWalk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "line_search/line_query.h"

namespace podium {

constexpr std::size_t kDeepestSlabTop = 16;
constexpr double kFarthestSlabEdge = 0x1p600;  // scores are finite there
constexpr std::size_t kMostSlabDepth = 16;
constexpr std::size_t kVectorRoom = 16;  // vectors are read and written whole
// The bits that the grid leaves free hold two document numbers.
constexpr int kBlockDocumentBits = kDroppedBits / 2;
constexpr std::size_t kMostBlockDocuments = std::size_t{1} << kBlockDocumentBits;
constexpr std::size_t kMostBlockCrossings = kMostBlockDocuments * (kMostBlockDocuments - 1) / 2;

// Documents, with identical lines in the convention's order; arrays have kVectorRoom more elements.
struct SlabPool {
  std::size_t count = 0;
  double largest_slope = 0, largest_intercept = 0;  // in magnitude
  std::vector<double> slopes, intercepts;
  std::vector<std::int64_t> places;  // in the query

  void make_room(std::size_t n);
};

struct SlabBuffers {
  SlabBuffers();

  std::vector<SlabPool> pools;  // one per depth
  std::vector<double> numbers;
  std::vector<std::int64_t> keys, ranks;  // of the crossings of a block
  std::vector<Jump> jumps;                // room for more than jump_count
  std::size_t jump_count = 0;
};

class SlabWalk {
 public:
  // Appends the jumps in ascending α; returns the value, in units, at the range's lower end.
  // nullopt: use KineticWalk for this query.
  std::optional<std::int64_t> walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                                   std::vector<Jump>& jumps);

 private:
  void fill(const LineQuery& query, const LineSpans& lines);

  SlabBuffers buffers_;
  std::vector<double> unit_weights_;
  Twins twins_;
};

}  // namespace podium
