// Repeated random splits as in [Yue07]: every trial trains on a few queries, validates on a few
// others and tests on the rest, and over all trials every query has each role equally often, as far
// as the numbers are divisible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "podium/split.h"

namespace podium {

struct TrialSizes {
  std::size_t trials = 50, train_queries = 10, valid_queries = 5;
};

// Throws a usage Error if no query is left for testing.
std::vector<Fold> balanced_trials(std::size_t queries, const TrialSizes& sizes, std::uint64_t seed);

}  // namespace podium
