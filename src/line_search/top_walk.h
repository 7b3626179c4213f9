// The walk over the first τ ranks of one query, for measures that depend on these ranks only: in
// slabs of α (slab_walk.h) if possible, else swap by swap (kinetic_walk.h). Both find the same
// jumps, except that swaps at the same α may be split.
#pragma once

#include <optional>
#include <vector>

#include "line_search/kinetic_walk.h"
#include "line_search/slab_walk.h"

namespace podium {

class TopWalk {
 public:
  // Appends the jumps, in any order; returns the value, in units, at the range's lower end.
  std::int64_t walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                    std::vector<Jump>& jumps) {
    const std::optional<std::int64_t> start = slabs_.walk(query, lines, range, jumps);
    return start ? *start : kinetic_.walk(query, lines, range, jumps);
  }

 private:
  SlabWalk slabs_;
  KineticWalk kinetic_;
};

}  // namespace podium
