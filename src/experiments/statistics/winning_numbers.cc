// W_i = Σ_sets j Σ_systems k I(value_i(j) > value_k(j)). [Tan13] section 3.1.1. A comparison with
// NaN is false, so a missing value neither wins nor loses.
#include "experiments/statistics/system_values.h"
#include "podium/significance.h"

namespace podium {

std::vector<std::size_t> winning_numbers(SystemValues values) {
  check_same_length(values);
  std::vector<std::size_t> wins(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const std::vector<double>& other : values)
      for (std::size_t j = 0; j < other.size(); ++j) wins[i] += values[i][j] > other[j];
  return wins;
}

}  // namespace podium
