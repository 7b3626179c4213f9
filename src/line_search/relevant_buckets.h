// Long lists of binary measures without ties, by buckets of α: a search needs jumps only where the
// sum over all queries may be best.
//
// The value is a function of u (relevant_state.h) and never falls as a u rises. So a bucket's
// crossings may be walked in any order: after all of them the value is exact, and after those
// where a relevant document rises, before the others, it is at least every value inside. First the
// buckets are counted so (count); then, of those that the sum leaves, crossings are sorted and
// become jumps (find_jumps). Crossings are found again by the second pass: they are cheaper to find
// than to keep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line_search/atom_list.h"
#include "line_search/crossing_row.h"
#include "line_search/line_query.h"
#include "line_search/promising_runs.h"

namespace podium {

class RelevantBuckets {
 public:
  // Of relevant and other documents; fewer are sorted at once, more are walked in slabs.
  static constexpr std::size_t kFewestPairs = 1024, kMostPairs = std::size_t{1} << 25;

  // Whether queries of this form can be counted at all.
  static bool knows(MeasureForm::Kind form);

  // False: this query cannot be counted.
  bool take(const LineQuery& query, const LineSpans& lines, GridRange range);

  // Of the query taken last: adds its crossings, returns the value at the range's lower end.
  std::int64_t count(const LineQuery& query, const SampledBuckets& bucket_of,
                     std::span<JumpBucket> buckets);
  // Of the query taken last: appends its jumps in the runs, in ascending α.
  void find_jumps(const LineQuery& query, const SampledBuckets& bucket_of,
                  const PromisingRuns& runs, std::vector<Jump>& jumps);

 private:
  struct Crossing {
    std::uint64_t key;  // ascending in α
    std::uint32_t other;
    std::uint32_t rises;  // the other one: 1
  };

  template <class State>
  std::int64_t count_with(State state, const SampledBuckets& bucket_of,
                          std::span<JumpBucket> buckets);
  void sort_into_buckets(const SampledBuckets& bucket_of);
  template <class State>
  void jumps_with(State state, const SampledBuckets& bucket_of, const PromisingRuns& runs,
                  std::vector<Jump>& jumps);
  void split_by_runs(const SampledBuckets& bucket_of, const PromisingRuns& runs);

  GridRange range_{};
  AtomList list_;
  std::vector<Line> relevant_;
  OtherLines others_;
  std::vector<std::uint16_t> other_atoms_;
  std::vector<RowCode> codes_;
  std::vector<std::uint32_t> begin_;     // of a code's crossings
  std::vector<std::uint16_t> crossing_;  // the other atom, code by code
  std::vector<std::uint32_t> row_of_;    // in shifts_, by code
  std::vector<std::int32_t> shifts_;     // of u up to a run, run by run
  std::vector<Crossing> crossings_, scratch_;
};

}  // namespace podium
