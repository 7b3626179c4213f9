#include "line_search/promising_runs.h"

#include <algorithm>

namespace podium {
namespace {

constexpr std::size_t kMostRuns = 64;

// The lowest α of a bucket, or of the next ones.
double lower_end(std::size_t bucket, const SampledBuckets& bucket_of) {
  std::uint64_t below = ascending_key(-kFarthestCrossing), from = ascending_key(kFarthestCrossing);
  while (from - below > 1) {
    const std::uint64_t middle = below + (from - below) / 2;
    (bucket_of(alpha_of(middle)) < bucket ? below : from) = middle;
  }
  return alpha_of(from);
}

std::size_t count_runs(std::span<const std::uint8_t> inside) {
  std::size_t runs = 0;
  for (std::size_t b = 0; b < inside.size(); ++b) runs += inside[b] && (b == 0 || !inside[b - 1]);
  return runs;
}

// Fills gaps between two runs of at most this many buckets.
void fill_gaps(std::span<std::uint8_t> inside, std::size_t most) {
  std::size_t end_of_run = inside.size();  // none so far
  for (std::size_t b = 0; b < inside.size(); ++b) {
    if (!inside[b]) continue;
    if (b > end_of_run && b - end_of_run <= most)
      std::fill(inside.begin() + static_cast<std::ptrdiff_t>(end_of_run),
                inside.begin() + static_cast<std::ptrdiff_t>(b), std::uint8_t{1});
    end_of_run = b + 1;
  }
}

}  // namespace

PromisingRuns::PromisingRuns(std::span<const JumpBucket> buckets, std::int64_t start,
                             const SampledBuckets& bucket_of)
    : inside_(buckets.size()), run_of_(buckets.size()) {
  BestSeen best;
  best.see(start);
  std::int64_t value = start;
  for (const JumpBucket& bucket : buckets) best.see(value += bucket.change);
  value = start;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    inside_[b] = buckets[b].size > 0 && best.can_be(value + buckets[b].rise);
    value += buckets[b].change;
  }
  for (std::size_t gap = 1; count_runs(inside_) > kMostRuns; gap *= 2) fill_gaps(inside_, gap);
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    if (inside_[b] && (b == 0 || !inside_[b - 1])) low_.push_back(lower_end(b, bucket_of));
    run_of_[b] = static_cast<std::uint32_t>(low_.size() - inside_[b]);
  }
}

void PromisingRuns::keep_only_inside(std::vector<Jump>& jumps,
                                     const SampledBuckets& bucket_of) const {
  std::vector<std::int64_t> before(size() + 1, 0);
  std::size_t kept = 0;
  for (const Jump& jump : jumps) {
    const std::size_t bucket = bucket_of(jump);
    if (is_inside(bucket))
      jumps[kept++] = jump;
    else
      before[run_of(bucket)] += jump.change;
  }
  jumps.resize(kept);
  for (std::size_t run = 0; run < size(); ++run)
    if (before[run] != 0) jumps.push_back({low(run), before[run]});
}

}  // namespace podium
