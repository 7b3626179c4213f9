// The walks of a chunk of queries along a line, and their totals.
#pragma once

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/exact_sum.h"
#include "line_search/exact_line_search.h"
#include "line_search/inversion_walk.h"
#include "line_search/jump_merge.h"
#include "line_search/relevant_buckets.h"
#include "line_search/top_walk.h"
#include "podium/error.h"

namespace podium {

inline double grid_below(double x) {
  if (std::isinf(x)) return x;
  if (std::abs(x) < kNearestCrossing) return x < 0 ? -kNearestCrossing : 0;
  const double near = to_grid(x);
  if (near <= x) return near;
  return -next_on_grid(-near);
}
inline double grid_above(double x) {
  return -grid_below(-x);
}

// The lines of documents begin … end − 1.
inline LineSpans lines_of(const SearchLine& line, std::size_t begin, std::size_t end) {
  const LineSpans lines{line.direction.subspan(begin, end - begin),
                        line.base.subspan(begin, end - begin)};
  const auto fits = [](double x) { return std::abs(x) <= kLargestCoefficient; };
  std::size_t wrong_numbers = 0;
  for (const double x : lines.slopes) wrong_numbers += !fits(x);
  for (const double x : lines.intercepts) wrong_numbers += !fits(x);
  for (std::size_t i = 0; i < lines.size() && wrong_numbers > 0; ++i)
    if (const Line wrong = lines[i]; !fits(wrong.slope) || !fits(wrong.intercept))
      throw Error(
          ErrorCode::data,
          fmt::format("line search: document {} has score {} and direction {}; they must be "
                      "numbers up to 1e100 in size: scale or clip the features",
                      begin + i + 1, wrong.intercept, wrong.slope));
  return lines;
}

struct ExactLineSearch::Walked {
  std::int64_t start = 0;  // the sum at the range's lower end
  ExactSum weight;         // of the queries that count
  JumpLists jumps;         // of a chunk of queries, or of one query
  std::int64_t count = 0;  // of jumps, including those that were only counted

  void operator+=(Walked& part) {
    start += part.start;
    weight += part.weight;
    count += part.count;
    for (std::vector<Jump>& list : part.jumps) jumps.push_back(std::move(list));
  }
};

class ExactLineSearch::Walker {
 public:
  Walker(const ExactLineSearch& search, const SearchLine& line, StopCheck stop)
      : search_(search),
        line_(line),
        range_{grid_below(line.low), grid_above(line.high)},
        stop_(stop) {}

  void walk(std::size_t q, Walked& walked) {
    visit(q, walked, [&](const LineQuery& seen, const LineSpans& lines) {
      if (search_.walks_top_ &&
          std::min(search_.measure_->depth(), seen.documents()) <= kDeepestTop)
        return top_.walk(seen, lines, range_, walked.jumps.front());
      // Long lists, which are not copied when they grow.
      return inversions_.walk(seen, lines, range_, walked.jumps.emplace_back());
    });
  }

  // Jumps of queries that cannot be counted in buckets are stored, and counted as such.
  void count(std::size_t q, const SampledBuckets& bucket_of, Walked& walked,
             std::span<JumpBucket> buckets) {
    visit(q, walked, [&](const LineQuery& seen, const LineSpans& lines) {
      if (counted_.take(seen, lines, range_)) return counted_.count(seen, bucket_of, buckets);
      std::vector<Jump>& jumps = walked.jumps.front();
      const std::size_t before = jumps.size();
      const std::int64_t start = inversions_.walk(seen, lines, range_, jumps);
      for (const Jump& jump : std::span(jumps).subspan(before)) buckets[bucket_of(jump)].add(jump);
      return start;
    });
  }
  // For queries that were counted.
  void find_jumps(std::size_t q, const SampledBuckets& bucket_of, const PromisingRuns& runs,
                  std::vector<Jump>& jumps) {
    Walked ignored;
    visit(q, ignored, [&](const LineQuery& seen, const LineSpans& lines) {
      if (counted_.take(seen, lines, range_)) counted_.find_jumps(seen, bucket_of, runs, jumps);
      return std::int64_t{0};
    });
  }

 private:
  // Deeper cut-offs are walked as whole lists.
  static constexpr std::size_t kDeepestTop = 128;

  // walk_moving, which returns the value at the range's lower end, for a query that has jumps.
  template <class WalkMoving>
  void visit(std::size_t q, Walked& walked, WalkMoving&& walk_moving) {
    const Query& query = search_.queries_[q];
    if (query.kind == Query::Kind::skipped) return;
    const LineSpans lines = lines_of(line_, query.begin, query.end);
    LineQuery seen = search_.view(query);
    seen.stop = stop_;
    if (query.kind == Query::Kind::constant)
      walked.start += seen.to_units(query.offset);
    else if (is_undefined(seen, lines))
      return;
    else
      walked.start += walk_moving(seen, lines);
    walked.weight += query.weight;
  }

  // If all scores tie everywhere, a measure (tau) may be undefined even though it is defined on
  // orders.
  bool is_undefined(const LineQuery& query, const LineSpans& lines) const {
    if (search_.empty_ != EmptyQuery::skip || query.ties != Ties::expected) return false;
    const auto one_value = [](std::span<const double> x) {
      return std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; });
    };
    if (!one_value(lines.slopes) || !one_value(lines.intercepts)) return false;
    const auto end = static_cast<std::uint32_t>(lines.size());
    return end > 1 && !query.measure.tied({{query.labels, query.ideal}, {&end, 1}});
  }

  const ExactLineSearch& search_;
  const SearchLine& line_;
  GridRange range_;
  StopCheck stop_;
  TopWalk top_;
  InversionWalk inversions_;
  RelevantBuckets counted_;
};

}  // namespace podium
