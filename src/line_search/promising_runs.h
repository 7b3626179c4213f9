// Runs of neighbouring buckets of α that may reach a sum's best value. Jumps inside them determine
// where it is best; those before a run are merged into one jump at its lower end.
//
// Nothing is lost: a bucket that starts or ends with the best value is in a run, and the sum is
// lower everywhere between two runs. If there are very many runs, neighbours are joined.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line_search/jump_buckets.h"

namespace podium {

class PromisingRuns {
 public:
  // `start` is the sum before the first bucket.
  PromisingRuns(std::span<const JumpBucket> buckets, std::int64_t start,
                const SampledBuckets& bucket_of);

  std::size_t size() const { return low_.size(); }
  // Below all jumps of the run, above those of all buckets before it.
  double low(std::size_t run) const { return low_[run]; }
  bool is_inside(std::size_t bucket) const { return inside_[bucket]; }
  // The run that contains the bucket, or the next one; size() after the last.
  std::size_t run_of(std::size_t bucket) const { return run_of_[bucket]; }

  // Jumps in any order; those outside are merged as described above.
  void keep_only_inside(std::vector<Jump>& jumps, const SampledBuckets& bucket_of) const;

 private:
  std::vector<double> low_;
  std::vector<std::uint8_t> inside_;
  std::vector<std::uint32_t> run_of_;
};

}  // namespace podium
