#include <algorithm>

#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {

std::optional<WeightForm> RankWeights::form(std::size_t) const {
  return {};
}

std::vector<double> RankWeights::terms(std::span<const float>, double) const {
  return {};
}

std::vector<double> inverse_ranks(std::size_t ranks, std::size_t depth) {
  std::vector<double> inverses(ranks);
  for (std::size_t r = 0; r < std::min(ranks, depth); ++r) inverses[r] = inverse_rank(r);
  return inverses;
}

std::vector<double> relevances(std::span<const float> labels, double from) {
  std::vector<double> relevant;
  relevant.reserve(labels.size());
  for (const float label : labels) relevant.push_back(is_relevant(label, from) ? 1 : 0);
  return relevant;
}

}  // namespace podium
