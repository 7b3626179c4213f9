// All queries' jumps together: the sum's best value along the line, and where.
//
// No sort of all jumps is needed for that. Jumps are counted into buckets of α; a bucket's value
// never exceeds the value at its start plus its positive changes, so buckets that cannot reach a
// value already seen at some bucket's start are left alone, and the others are cut finer.
//
// Values are compared in steps of kUnitsPerStep units: what is equal but for the rounding of terms
// is equal, except for the rare value on the edge of a step.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/line_search/line_query.h"
#include "podium/communicator.h"

namespace podium {

constexpr int kStepBits = 12;
constexpr std::int64_t kUnitsPerStep = std::int64_t{1} << kStepBits;

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
// all ranks. Where jumps are many a rank sends 48 KB of sums, and those of its jumps (16 bytes
// each) that lie in buckets which may reach the best value.
FixedPiece best_piece(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                      Communicator& comm);

// All pieces from left to right. Every rank gets every jump.
std::vector<FixedPiece> all_pieces(const JumpLists& lists, std::int64_t start, const LineEnds& ends,
                                   Communicator& comm);

}  // namespace podium
