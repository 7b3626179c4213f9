#include "line_search/relevant_buckets.h"

#include <algorithm>
#include <limits>

#include "line_search/crossing_sort.h"
#include "line_search/relevant_state.h"

namespace podium {
namespace {

// AP and AUC never decrease as u rises, exactly, because every operation on them is monotone. The
// logarithms of GMAP can decrease by rounding, but by less than this, including the product with
// the weight.
constexpr std::int64_t kRoundingOfBound = 2;

constexpr std::uint32_t kInsideRun = std::numeric_limits<std::uint32_t>::max();

template <class Visit>
void with_state(const LineQuery& query, std::span<const Atom> atoms, Visit&& visit) {
  if (query.form == MeasureForm::Kind::precision)
    visit(RelevantState<PrecisionTerms>(query, atoms));
  else
    visit(RelevantState<PairTerms>(query, atoms));
}

}  // namespace

bool RelevantBuckets::knows(MeasureForm::Kind form) {
  return form == MeasureForm::Kind::precision || form == MeasureForm::Kind::pairs;
}

bool RelevantBuckets::take(const LineQuery& query, const LineSpans& lines, GridRange range) {
  if (!knows(query.form) || !(query.units > 0) ||
      lines.size() > std::numeric_limits<std::uint16_t>::max())
    return false;
  list_.make(query, lines);
  if (!list_.all_single()) return false;
  range_ = range;
  relevant_.clear();
  others_.clear();
  other_atoms_.clear();
  with_state(query, list_.atoms(), [&](const auto& state) {
    for (std::uint32_t atom = 0; atom < lines.size(); ++atom) {
      const Line& line = list_.atoms()[atom].line;
      if (state.kind(atom) == AtomKind::carrier) {
        relevant_.push_back(line);
      } else if (state.kind(atom) == AtomKind::other) {
        others_.add(line);
        other_atoms_.push_back(static_cast<std::uint16_t>(atom));
      }
    }
  });
  others_.pad();
  const std::size_t pairs = relevant_.size() * others_.size();
  if (pairs < kFewestPairs || pairs > kMostPairs) return false;
  list_.sort(range.low);
  return true;
}

std::int64_t RelevantBuckets::count(const LineQuery& query, const SampledBuckets& bucket_of,
                                    std::span<JumpBucket> buckets) {
  std::int64_t start = 0;
  with_state(query, list_.atoms(),
             [&](auto state) { start = count_with(std::move(state), bucket_of, buckets); });
  return start;
}

template <class State>
std::int64_t RelevantBuckets::count_with(State state, const SampledBuckets& bucket_of,
                                         std::span<JumpBucket> buckets) {
  const std::int64_t start = state.start(list_.order());
  sort_into_buckets(bucket_of);
  std::int64_t value = start;
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const std::uint32_t begin = begin_[2 * b], rising = begin_[2 * b + 1], end = begin_[2 * b + 2];
    if (begin == end) continue;
    for (std::uint32_t c = begin; c < rising; ++c) state.pass(crossing_[c], 0);
    const std::int64_t highest = state.settle();
    for (std::uint32_t c = rising; c < end; ++c) state.pass(crossing_[c], 1);
    const std::int64_t after = state.settle();
    buckets[b].change += after - value;
    buckets[b].rise += highest - value + kRoundingOfBound;
    buckets[b].size += end - begin;
    value = after;
  }
  return start;
}

void RelevantBuckets::sort_into_buckets(const SampledBuckets& bucket_of) {
  const std::size_t width = others_.padded_size();
  codes_.resize(relevant_.size() * width);
  begin_.assign(kRowCodes + 1, 0);
  for (std::size_t r = 0; r < relevant_.size(); ++r) {
    RowCode* const row = codes_.data() + r * width;
    find_row(relevant_[r], others_, range_, bucket_of, row);
    for (std::size_t d = 0; d < others_.size(); ++d) ++begin_[row[d] + 1U];
  }
  for (std::size_t code = 0; code < kRowCodes; ++code) begin_[code + 1] += begin_[code];
  crossing_.resize(relevant_.size() * others_.size());
  std::vector<std::uint32_t>& at = row_of_;
  at.assign(begin_.begin(), begin_.end());
  for (std::size_t r = 0; r < relevant_.size(); ++r) {
    const RowCode* const row = codes_.data() + r * width;
    for (std::size_t d = 0; d < others_.size(); ++d) crossing_[at[row[d]]++] = other_atoms_[d];
  }
}

void RelevantBuckets::find_jumps(const LineQuery& query, const SampledBuckets& bucket_of,
                                 const PromisingRuns& runs, std::vector<Jump>& jumps) {
  with_state(query, list_.atoms(),
             [&](auto state) { jumps_with(std::move(state), bucket_of, runs, jumps); });
}

template <class State>
void RelevantBuckets::jumps_with(State state, const SampledBuckets& bucket_of,
                                 const PromisingRuns& runs, std::vector<Jump>& jumps) {
  std::int64_t value = state.start(list_.order());
  split_by_runs(bucket_of, runs);
  sort_by_key(crossings_, scratch_);
  auto c = crossings_.begin();
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t d = 0; d < others_.size(); ++d)
      state.shift(other_atoms_[d], shifts_[run * others_.size() + d]);
    const auto move_to = [&](double alpha, std::int64_t after) {
      if (after != value) jumps.push_back({alpha, after - value});
      value = after;
    };
    move_to(runs.low(run), state.restart());
    const std::uint64_t end = run + 1 < runs.size() ? ascending_key(runs.low(run + 1))
                                                    : std::numeric_limits<std::uint64_t>::max();
    while (c != crossings_.end() && c->key < end) {
      const std::uint64_t key = c->key;
      for (; c != crossings_.end() && c->key == key; ++c) state.pass(c->other, c->rises);
      move_to(alpha_of(key), state.settle());
    }
  }
}

// Collects crossings inside runs, and how much u changes before each run.
void RelevantBuckets::split_by_runs(const SampledBuckets& bucket_of, const PromisingRuns& runs) {
  const std::size_t n = others_.size();
  row_of_.assign(kRowCodes, static_cast<std::uint32_t>(runs.size() * n));
  for (std::size_t code = 0; code < kNoCrossing; ++code)
    row_of_[code] = runs.is_inside(code / 2)
                        ? kInsideRun
                        : static_cast<std::uint32_t>(runs.run_of(code / 2) * n);
  shifts_.assign((runs.size() + 1) * n, 0);
  crossings_.clear();
  codes_.resize(std::max(codes_.size(), others_.padded_size()));
  for (const Line& line : relevant_) {
    find_row(line, others_, range_, bucket_of, codes_.data());
    for (std::size_t d = 0; d < n; ++d) {
      const std::uint32_t rises = codes_[d] & 1U, row = row_of_[codes_[d]];
      if (row != kInsideRun) [[likely]] {
        shifts_[row + d] += 1 - 2 * static_cast<std::int32_t>(rises);
        continue;
      }
      const Line other{others_.slopes()[d], others_.intercepts()[d]};
      const double alpha = rises ? crossing(line, other) : crossing(other, line);
      crossings_.push_back({ascending_key(alpha), other_atoms_[d], rises});
    }
  }
}

}  // namespace podium
