// Exact line search [Tan13]: with scores b + αa, a measure's mean over the queries is piecewise
// constant in α, and changes only where two documents' scores cross. This finds its best value over
// a range of α, and the widest interval with this value, without missing any piece.
//
// Life of a search: ExactLineSearch binds data, measure and convention once (ideal orders, gains,
// tie order) → search(line, context) walks every query from the lower to the upper end of the range
// (the first τ ranks, top_walk.h; whole lists, inversion_walk.h) → the queries' jumps, in integers,
// are merged over queries and ranks (jump_merge.h).
//
// Intervals are open: scores tie at the crossings themselves. Crossings are rounded to a grid with
// relative spacing 2⁻⁴² (line_crossing.h): every interval found is one of the exact piecewise
// constant function, with ends within half a step of the exact ones; pieces narrower than a step
// may be skipped. Documents with identical lines tie everywhere, and the convention decides their
// order. The bits do not depend on the number of threads and ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "line_search/additive_parts.h"
#include "line_search/jump_buckets.h"
#include "line_search/jump_store.h"
#include "line_search/line_query.h"
#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/evaluator.h"
#include "podium/measure.h"

namespace podium {

struct LinePiece {
  double low;
  double high;
  double value;  // aggregated over the queries, as by the evaluator
};

struct SearchLine {
  std::span<const double> base;       // b, one per document
  std::span<const double> direction;  // a
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  // Of several best intervals the one that contains it is chosen, else the widest, else the
  // leftmost. NaN: none.
  double current = 0;
};

struct LineSearchResult {
  LinePiece best;
  // A finite α inside the best interval: its middle; if only one end is finite, `step` from it,
  // where step is the larger of 1 and the end's magnitude; 0 for the whole line.
  double middle = 0;
  bool holds_current = false;
  // The number of places where the value of a single query changes, over all queries; swaps at the
  // same α may count as several.
  std::size_t jumps = 0;
};

class ExactLineSearch {
 public:
  ExactLineSearch(const Dataset& data, MeasurePtr measure, const Convention& convention,
                  Context& context);

  // Throws an Error (data) if a or b is NaN or larger than 1e100 in magnitude, and (usage) for an
  // empty range. With one rank, throws Stopped if a stop request arrives inside a whole list.
  LineSearchResult search(const SearchLine& line, Context& context) const;
  // Every piece from left to right, with neighbours of equal value merged.
  std::vector<LinePiece> pieces(const SearchLine& line, Context& context) const;

 private:
  struct Query {
    std::size_t begin = 0, end = 0;                  // documents
    std::size_t ideal_end = 0;                       // ideal_[begin … ideal_end)
    std::size_t weights_begin = 0, weights_end = 0;  // rank_weights_
    double weight = 1;
    double offset = 0;  // of an additive form; the value itself if it is constant
    enum class Kind : std::uint8_t { moving, constant, skipped } kind = Kind::moving;
  };
  struct Walked;
  class Walker;

  double bind_query(std::size_t q);
  void keep(const AdditiveParts& parts, Query& query);
  std::uint64_t count_pairs() const;
  void bind_together(std::span<const double> bounds, Context& context);
  std::span<const float> ideal_of(const Query& query) const;
  LineQuery view(const Query& query) const;
  void check(const SearchLine& line) const;
  Walked walk(const SearchLine& line, Context& context) const;
  Walked walk_in_buckets(const SearchLine& line, Context& context) const;
  SampledBuckets sample_buckets(const SearchLine& line, Context& context) const;
  struct Totals {
    std::int64_t start;
    double weight;
    std::size_t jumps;
  };
  Totals totals(const Walked& walked, Context& context) const;
  double aggregate(std::int64_t sum, double weight) const;

  Dataset data_;
  MeasurePtr measure_;
  MeasureForm form_;
  Ties ties_;
  EmptyQuery empty_;
  std::vector<Query> queries_;
  std::vector<float> ideal_;
  std::vector<double> gains_;
  std::vector<double> rank_weights_;
  std::vector<std::uint32_t> tie_order_;  // one per document; empty: order of rows
  double units_ = 1;                      // per value of 1
  bool walks_top_;
  bool counts_buckets_ = false;
  std::unique_ptr<JumpStore> store_;
};

}  // namespace podium
