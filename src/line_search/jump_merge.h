// Merges the jumps of all queries: the best value of the sum along the line, and its position.
//
// This does not need to sort all jumps. Jumps are counted into buckets of α; a bucket's value never
// exceeds the value at its start plus its positive changes, so buckets that cannot reach a value
// already seen at the start of some bucket are skipped, and the others are divided further.
#pragma once

#include <cstdint>
#include <vector>

#include "line_search/jump_buckets.h"
#include "line_search/line_query.h"
#include "podium/communicator.h"

namespace podium {

// Between two jumps of the sum. The value is an integer number of steps, in units.
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

// The best piece: of several, the one that contains `current`, else the widest, else the leftmost.
// Neighbours of equal value form one piece. Each rank has its own lists; `start` is the sum over
// all ranks, which exchange sums of buckets and a few jumps (jump_ranks.h).
FixedPiece best_piece(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                      Communicator& comm);

// All pieces from left to right. Every rank gets every jump.
std::vector<FixedPiece> all_pieces(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                                   Communicator& comm);

}  // namespace podium
