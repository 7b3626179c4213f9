// The walk over the first τ ranks of one query, swap by swap: for any measure that depends on these
// ranks only, and for lines in any position.
//
// The first τ documents are kept in order, with the α of the next crossing of each pair of
// neighbours. Below them, only documents that can enter before a checkpoint e are considered: those
// above the lowest of the first τ at e. (A line below all of them now, and below all of them at e,
// crosses none in between.) Checkpoints are crossings sampled from the documents, so that few
// candidates remain between two of them, whatever the scale of the features, and they are nested:
// the documents for a nearer checkpoint are chosen among those for the next farther one. Between
// checkpoints a jump costs O(τ), whereas the scan of [Tan13] costs O(n).
//
// Crossings with equal images are simultaneous: the first τ documents are then chosen again, by
// their order after that α.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line_search/line_query.h"

namespace podium {

class KineticWalk {
 public:
  // Appends the jumps in ascending α; returns the value, in units, at the range's lower end.
  std::int64_t walk(const LineQuery& query, const LineSpans& lines, GridRange range,
                    std::vector<Jump>& jumps);

 private:
  // The desired maximum of candidates between checkpoints.
  static constexpr std::size_t kFewCandidates = 36;

  struct Place {
    Line line;
    std::uint32_t document;
  };
  struct Checkpoint {
    double alpha;
    std::size_t pool_begin;  // its documents in pools_, up to those of the next one
  };
  // Documents, with capacity for all documents of the query, in whole pairs (lanes.h).
  struct Candidates {
    std::size_t count = 0;
    std::vector<double> slopes, intercepts;
    std::vector<std::uint32_t> documents;

    void make_room(std::size_t n);
    void set(std::size_t c, const Line& line, std::uint32_t document) {
      slopes[c] = line.slope;
      intercepts[c] = line.intercept;
      documents[c] = document;
    }
    Line line(std::size_t c) const { return {slopes[c], intercepts[c]}; }
  };

  // The positions of the documents at a checkpoint; at infinity slopes decide.
  struct Ahead {
    double rise, stay;
    explicit Ahead(double end) : rise(end == kNever ? 1 : end), stay(end == kNever ? 0 : 1) {}
    double operator()(const Line& line) const { return stay * line.intercept + rise * line.slope; }
  };

  void begin(const LineQuery& query, const LineSpans& lines, std::size_t ranks);
  void begin_again();
  template <class Value>
  bool walk_with(Value& value, GridRange range);
  template <class Value>
  void walk_block(Value& value);
  template <class Above>
  void choose_top(Above&& above, std::span<const std::uint32_t> documents);
  void choose_candidates();
  void filter(double end, std::size_t from, std::size_t to);
  bool add_checkpoint(std::size_t from, std::size_t to);
  std::size_t lowest_at(const Ahead& ahead) const;
  void find_gaps();
  void find_gap(std::size_t k);
  void find_boundary_gap();
  void find_exact_boundary_gap(double limit);
  void enter();
  void rebuild(double alpha);
  void add_jump(double alpha, std::int64_t change);

  const LineQuery* query_ = nullptr;
  LineSpans lines_;
  double largest_slope_ = 0, largest_intercept_ = 0;
  double now_ = 0;  // crossings before it have been processed
  std::int64_t start_ = 0, value_ = 0;
  bool twins_matter_ = false, twins_seen_ = false;
  std::vector<Jump> jumps_;  // room for more than jump_count_
  std::size_t jump_count_ = 0;
  std::vector<Place> top_;
  Candidates candidates_;
  // Approximate α where candidates pass the boundary, with their index in the last bits; in whole
  // pairs.
  std::vector<double> rough_;
  // Where the document at k + 1 passes that at k; the last element is that of the boundary. A grid
  // point with k in the bits that the grid leaves free, so that the smallest determines both. In
  // whole pairs.
  std::vector<double> gaps_;
  std::size_t next_in_ = 0;  // the candidate that passes the boundary first
  std::size_t passing_ = 0;  // how many pass at that α
  std::vector<std::uint8_t> is_top_;
  std::vector<Checkpoint> checkpoints_;  // still to come, the nearest last
  std::vector<std::uint32_t> pools_;
  std::vector<std::uint32_t> scratch_;
  Twins twins_;
  std::vector<double> unit_weights_;
};

}  // namespace podium
