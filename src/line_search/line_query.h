// One query as the walks along a line see it: labels, precomputed parts of the measure, and the
// integer representation of its value. A walk turns it, and the documents' lines, into the value at
// the range's lower end and a list of jumps.
//
// Values are integer multiples of one unit for all queries (fixed point), each rounded from the
// ranking alone, independent of the path: sums do not drift. Units are fine: values that differ
// only by rounding are a few units apart, and jump_merge.h compares sums in coarser steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line_search/line_crossing.h"
#include "podium/evaluator.h"

namespace podium {

// A query's value, in units, changes at alpha.
struct Jump {
  double alpha;
  std::int64_t change;
};

// Crossings with low < α < high are processed; both are grid points, or infinite.
struct GridRange {
  double low;
  double high;
};

// To within one; only equal results for equal arguments matter.
inline std::int64_t to_whole(double x) {
  return static_cast<std::int64_t>(x + 0.5);
}

struct LineQuery {
  const Measure& measure;
  MeasureForm::Kind form;
  double relevant_from = 1;  // precision, first, pairs
  Ties ties;
  std::span<const float> labels;  // of the documents
  std::span<const float> ideal;   // judged ones, descending
  // For MeasureForm::Kind::additive, value = offset + Σ gains[document] · rank_weights[rank]; ranks
  // beyond rank_weights do not count.
  double offset = 0;
  std::span<const double> gains = {};
  std::span<const double> rank_weights = {};
  // Documents in the order of the convention for equal scores; empty: input order.
  std::span<const std::uint32_t> tie_order = {};
  double units = 1;      // per value of 1, including the query's weight
  double undefined = 0;  // the query's value if the measure is undefined
  StopCheck stop = {};   // checked by walks that take long

  std::size_t documents() const { return labels.size(); }
  std::uint32_t tie_rank(std::size_t document) const {
    return tie_order.empty() ? static_cast<std::uint32_t>(document) : tie_order[document];
  }
  // The query's contribution to the mean: its value, or the logarithm for geometric means.
  std::int64_t to_units(double value) const;
  // Measure::value or ::tied, in units. Without groups there are no ties.
  std::int64_t evaluate(std::span<const float> by_rank, std::span<const std::uint32_t> ends) const;
};

// Documents' lines, one per element.
struct LineSpans {
  std::span<const double> slopes, intercepts;

  std::size_t size() const { return slopes.size(); }
  Line operator[](std::size_t i) const { return {slopes[i], intercepts[i]}; }
};

// Documents with identical lines, which tie everywhere.
class Twins {
 public:
  // Finds the groups of two or more; O(n).
  void find(const LineSpans& lines);
  // Gains under ties: each document of a group has the group's mean gain at every rank. Valid until
  // the next call.
  std::span<const double> shared(std::span<const double> gains);

  bool any() const { return !groups_.empty(); }
  static constexpr std::uint32_t kAlone = 0xFFFFFFFF;
  std::uint32_t group_of(std::size_t document) const { return group_of_[document]; }
  const std::vector<std::vector<std::uint32_t>>& groups() const { return groups_; }

 private:
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> group_of_;
  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<double> shared_;
};

}  // namespace podium
