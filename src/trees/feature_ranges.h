// The smallest and the largest value of each feature, and whether any is missing, over all
// documents of all ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

struct FeatureRange {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  std::uint32_t missing = 0;  // 1: some are missing

  void add(float x) {
    low = x < low ? x : low;
    high = x > high ? x : high;
    missing |= x != x;
  }
  void add(const FeatureRange& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    missing |= other.missing;
  }
};

// One per feature. Collective: all ranks must call it; throws an Error if their data have different
// widths.
std::vector<FeatureRange> feature_ranges(const Dataset& data, Context& context);

}  // namespace podium
