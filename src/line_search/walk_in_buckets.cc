// A search along a line for long lists: first counts in buckets of α, then finds jumps where the
// sum may be best (relevant_buckets.h).
#include "core/random.h"
#include "line_search/jump_ranks.h"
#include "line_search/line_walker.h"

namespace podium {
namespace {

constexpr std::size_t kMostChunks = 64;  // each has an array of buckets
constexpr std::size_t kSampledCrossings = 1024;
constexpr double kFarthestSample = 0x1.0p1000;  // differences of samples are finite

}  // namespace

// Finite positions of some crossings inside the range, of all ranks.
SampledBuckets ExactLineSearch::sample_buckets(const SearchLine& line, Context& context) const {
  Random random(queries_.size());
  std::vector<double> alphas;
  const std::size_t each = 1 + kSampledCrossings / std::max<std::size_t>(1, queries_.size());
  const std::size_t step = 1 + queries_.size() / kSampledCrossings;
  for (std::size_t q = 0; q < queries_.size(); q += step) {
    const Query& query = queries_[q];
    for (std::size_t s = 0; s < each && query.kind == Query::Kind::moving; ++s) {
      const auto any = [&] {
        const std::size_t i = query.begin + random.below(query.end - query.begin);
        return Line{line.direction[i], line.base[i]};
      };
      const Line i = any(), j = any();
      const double alpha = (i.intercept - j.intercept) / (j.slope - i.slope);
      if (std::abs(alpha) <= kFarthestSample && alpha > line.low && alpha < line.high)
        alphas.push_back(alpha);
    }
  }
  alphas = joined_over_ranks(std::move(alphas), context.comm);
  if (alphas.empty()) alphas.push_back(0);
  return SampledBuckets(std::move(alphas));
}

// Jumps only where the sum over all ranks may be best, and one before each such stretch.
ExactLineSearch::Walked ExactLineSearch::walk_in_buckets(const SearchLine& line,
                                                         Context& context) const {
  check(line);
  const SampledBuckets bucket_of = sample_buckets(line, context);
  const std::size_t chunk = 1 + queries_.size() / kMostChunks;
  struct Counted {
    Walked walked;
    std::vector<JumpBucket> buckets;
  };
  Counted all = parallel_reduce(
      context.pool, queries_.size(), chunk, Counted{{}, std::vector<JumpBucket>(kBuckets)},
      [&](std::size_t begin, std::size_t end) {
        Counted counted{{}, std::vector<JumpBucket>(kBuckets)};
        counted.walked.jumps.push_back(store_->take());
        Walker walker(*this, line, stop_inside(context));
        for (std::size_t q = begin; q < end; ++q)
          walker.count(q, bucket_of, counted.walked, counted.buckets);
        return counted;
      },
      [](Counted& total, Counted& part) {
        total.walked += part.walked;
        for (std::size_t b = 0; b < kBuckets; ++b) total.buckets[b] += part.buckets[b];
      });
  for (const JumpBucket& bucket : all.buckets) all.walked.count += bucket.size;
  std::int64_t start = all.walked.start;
  context.comm.all_reduce_sum(std::span(&start, 1));
  sum_over_ranks(all.buckets, context.comm);
  const PromisingRuns runs(all.buckets, start, bucket_of);
  parallel_for(context.pool, queries_.size(), chunk, [&](std::size_t begin, std::size_t end) {
    std::vector<Jump>& jumps = all.walked.jumps[begin / chunk];
    runs.keep_only_inside(jumps, bucket_of);
    Walker walker(*this, line, stop_inside(context));
    for (std::size_t q = begin; q < end; ++q) walker.find_jumps(q, bucket_of, runs, jumps);
  });
  return std::move(all.walked);
}

}  // namespace podium
