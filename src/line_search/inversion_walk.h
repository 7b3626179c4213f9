// The walk over a whole list, for measures that depend on every rank.
//
// From the order at the range's lower end to that at its upper end, two documents (or two groups of
// identical lines) cross at most once; these crossings, radix-sorted, are the walk. A binary
// measure needs only pairs of a relevant and another document (relevant_state.h). A measure that is
// a sum of terms (inversion_terms.h) needs only pairs with an atom that carries a term: a crossing
// changes the ranks and mark sums of both in O(1). Other measures need all pairs and are evaluated
// again at every α where the order of the labels changes (inversion_state.h).
//
// Crossings with equal images are simultaneous. Lists with too many pairs for the memory are walked
// in slabs of α.
#pragma once

#include <cstdint>
#include <vector>

#include "line_search/atom_list.h"
#include "line_search/inversion_terms.h"
#include "line_search/line_query.h"

namespace podium {

class InversionWalk {
 public:
  // Appends the jumps in ascending α; returns the value, in units, at the range's lower end.
  std::int64_t walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                    std::vector<Jump>& jumps);

 private:
  // Atom i falls below atom j.
  struct Crossing {
    std::uint64_t key;  // ascending in α
    std::uint32_t i, j;
  };

  struct AtomLine {
    Line line;
    std::uint32_t atom;
  };

  template <class State>
  std::int64_t walk_with(State& state, GridRange range, std::vector<Jump>& jumps);
  std::size_t count_pairs() const;
  std::vector<double> slab_edges(GridRange range, std::size_t pairs) const;
  void find_crossings(GridRange range);

  AtomList list_;
  StopCheck stop_;
  std::vector<AtomKind> kinds_;
  bool carriers_meet_ = true;
  std::vector<AtomLine> carriers_below_, others_below_;
  std::vector<Crossing> crossings_, scratch_;
};

}  // namespace podium
