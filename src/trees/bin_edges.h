// Where to cut a feature into bins: between all neighbouring values if there are few, else so that
// bins have about equally many documents and frequent values have their own bins.
#pragma once

#include <cstdint>
#include <vector>

namespace podium {

// Distinct values, ascending, without NaN, and their counts.
struct ValueCounts {
  std::vector<float> values;
  std::vector<std::uint64_t> counts;

  void add(float value, std::uint64_t count) {
    values.push_back(value);
    counts.push_back(count);
  }
};

// A number t with low ≤ t < high, halfway if floats allow it; low < high.
float threshold_between(float low, float high);

// At most most_bins − 1 thresholds, ascending; most_bins ≥ 1.
std::vector<float> bin_thresholds(const ValueCounts& sample, std::size_t most_bins);

}  // namespace podium
