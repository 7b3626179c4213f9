#include "podium/measure.h"

#include <utility>

namespace podium {

double Measure::swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const {
  const std::optional<double> before = value(ranking);
  if (!before) return 0;
  std::vector<float> swapped(ranking.by_rank.begin(), ranking.by_rank.end());
  std::swap(swapped[i], swapped[j]);
  return value({swapped, ranking.ideal}).value_or(*before) - *before;
}

}  // namespace podium
