// Long lists of binary measures without ties, in buckets of α: a search needs jumps only where the
// sum over all queries may be best.
//
// The value is a function of u (relevant_state.h) and never decreases when a u rises. So a bucket's
// crossings may be processed in any order: after all of them the value is exact, and after only
// those where a relevant document rises it is an upper bound of every value inside. In a first
// pass, the buckets are counted this way (count); then, in those that remain for the sum, crossings
// are sorted and become jumps (find_jumps). The second pass finds the crossings again: that is
// cheaper than storing them.
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
  // Pairs of relevant and other documents; with fewer pairs, all are sorted at once, with more,
  // lists are walked in slabs.
  static constexpr std::size_t kFewestPairs = 1024, kMostPairs = std::size_t{1} << 25;

  // Whether queries of this form can be counted.
  static bool knows(MeasureForm::Kind form);

  // False if this query cannot be counted.
  bool take(const LineQuery& query, const LineSpans& lines, GridRange range);

  // For the last query taken: adds its crossings, returns the value at the range's lower end.
  std::int64_t count(const LineQuery& query, const SampledBuckets& bucket_of,
                     std::span<JumpBucket> buckets);
  // For the last query taken: appends its jumps in the runs, in ascending α.
  void find_jumps(const LineQuery& query, const SampledBuckets& bucket_of,
                  const PromisingRuns& runs, std::vector<Jump>& jumps);

 private:
  struct Crossing {
    std::uint64_t key;  // ascending in α
    std::uint32_t other;
    std::uint32_t rises;  // 1: the other document rises
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
  std::vector<std::uint32_t> begin_;     // of the crossings of a code
  std::vector<std::uint16_t> crossing_;  // the other atom, code by code
  std::vector<std::uint32_t> row_of_;    // in shifts_, by code
  std::vector<std::int32_t> shifts_;     // of u up to a run, run by run
  std::vector<Crossing> crossings_, scratch_;
};

}  // namespace podium
