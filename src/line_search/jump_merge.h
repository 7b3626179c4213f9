// All queries' jumps together: the sum's best value along the line, and where.
//
// No sort of all jumps is needed for that. Jumps are counted into buckets of α; a bucket's value
// never exceeds the value at its start plus its positive changes, so buckets that cannot reach a
// value already seen at some bucket's start are left alone, and the others are cut finer.
#pragma once

#include <cstdint>
#include <vector>

#include "line_search/jump_buckets.h"
#include "line_search/line_query.h"
#include "podium/communicator.h"

namespace podium {

// Between two jumps of the sum. The value is a whole number of steps, in units.
struct FixedPiece {
  double low;
  double high;
  std::int64_t value;
};

using JumpLists = std::vector<std::vector<Jump>>;  // in any order

struct LineEnds {
  double low;
  double high;
  double current;  // NaN: none
};

// The best piece: of several, the one that holds `current`, else the widest, else the leftmost.
// Neighbours of equal value are one piece. Each rank has lists of its own; `start` is the sum over
// all ranks, which exchange sums of buckets and few jumps (jump_ranks.h).
FixedPiece best_piece(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                      Communicator& comm);

// All pieces from left to right. Every rank gets every jump.
std::vector<FixedPiece> all_pieces(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                                   Communicator& comm);

}  // namespace podium
