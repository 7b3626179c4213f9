// Exact line search [Tan13]: with scores b + αa, a measure's mean over the queries is piecewise
// constant in α, and changes only where two documents' scores cross. This finds its best value over
// a range of α, and the widest interval around that has it, without missing any piece.
//
// Life of a search: ExactLineSearch binds data, measure and convention once (ideal orders, gains,
// tie order) → search(line, context) walks every query from the range's lower to its upper end (the
// first τ ranks, top_walk.h; whole lists, inversion_walk.h) → the queries' jumps, in whole numbers,
// are merged over queries and ranks (jump_merge.h).
//
// Intervals are open: at a crossing itself scores tie. Crossings are placed on a grid of relative
// spacing 2⁻⁴² (line_crossing.h): every interval found is one of the exact piecewise constant
// function, with ends within half a step of the exact ones; pieces narrower than a step may be
// passed over. Documents with identical lines tie everywhere, and count by the convention's rule.
// The same bits come out for any number of threads and ranks.
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
  double value;  // aggregated over the queries, as the evaluator's
};

struct SearchLine {
  std::span<const double> base;       // b, one per document
  std::span<const double> direction;  // a
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  // Of several best intervals the one that holds it is taken, else the widest, else the leftmost.
  // NaN: none.
  double current = 0;
};

struct LineSearchResult {
  LinePiece best;
  // A finite α inside the best interval: its middle; `step` from a finite end, where step is the
  // larger of 1 and the end's size; 0 for the whole line.
  double middle = 0;
  bool holds_current = false;
  // Places where a single query's value changes, over all queries; swaps at one α may count as
  // several.
  std::size_t jumps = 0;
};

class ExactLineSearch {
 public:
  ExactLineSearch(const Dataset& data, MeasurePtr measure, const Convention& convention,
                  Context& context);

  // Error (data) where a or b is not a number or above 1e100 in size, (usage) on an empty range.
  // Stopped, in a group of one, when a stop request comes inside a whole list.
  LineSearchResult search(const SearchLine& line, Context& context) const;
  // Every piece from left to right, neighbours of equal value as one.
  std::vector<LinePiece> pieces(const SearchLine& line, Context& context) const;

 private:
  struct Query {
    std::size_t begin = 0, end = 0;                  // documents
    std::size_t ideal_end = 0;                       // ideal_[begin … ideal_end)
    std::size_t weights_begin = 0, weights_end = 0;  // rank_weights_
    double weight = 1;
    double offset = 0;  // of an additive form; the value itself where it is constant
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
  std::vector<std::uint32_t> tie_order_;  // one per document; empty: input order
  double units_ = 1;                      // in a value of 1
  bool walks_top_;
  bool counts_buckets_ = false;
  std::unique_ptr<JumpStore> store_;
};

}  // namespace podium
