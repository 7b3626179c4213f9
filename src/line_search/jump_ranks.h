// The best value of a sum whose jumps are distributed over ranks, without gathering them: all ranks
// count their jumps into the same buckets of α, sum the buckets, and divide those further that may
// still reach the best value, until few jumps are left, which every rank then receives.
//
// A rank sends 24 bytes per bucket, 2,048 buckets at first and at most 8,192 at each finer level,
// and 24 bytes per remaining jump, of which there are about 10,000 over all ranks.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "line_search/jump_buckets.h"
#include "podium/communicator.h"

namespace podium {

// In ascending α: every jump of the sum from or to its best value, and some others. `start` is the
// sum over all ranks before the first jump. Collective: all ranks must call it.
std::vector<SumStep> best_steps_over_ranks(const std::vector<std::vector<Jump>>& mine,
                                           std::int64_t start, Communicator& comm);

// Sums every bucket over all ranks.
void sum_over_ranks(std::span<JumpBucket> buckets, Communicator& comm);

// All ranks' items, in rank order.
template <class T>
std::vector<T> joined_over_ranks(std::vector<T> mine, Communicator& comm) {
  if (comm.size() == 1) return mine;
  std::vector<T> all;
  for (const auto& bytes : comm.all_gather(std::as_bytes(std::span(mine)))) {
    const std::size_t before = all.size();
    all.resize(before + bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(all.data() + before, bytes.data(), bytes.size());
  }
  return all;
}

}  // namespace podium
