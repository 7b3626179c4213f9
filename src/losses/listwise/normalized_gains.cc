#include "losses/listwise/normalized_gains.h"

#include <algorithm>

namespace podium {

std::vector<double> normalized_gains(const Dataset& data, const Gain& gain,
                                     const Discount& discount, std::size_t k) {
  std::vector<double> shares;
  shares.reserve(data.documents());
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    std::vector<float> ideal(labels.begin(), labels.end());
    std::sort(ideal.rbegin(), ideal.rend());
    const QueryGain gain_of(gain, ideal);
    const std::size_t ranks = k > 0 ? std::min(k, ideal.size()) : ideal.size();
    double dcg = 0;
    for (std::size_t r = 0; r < ranks; ++r) dcg += gain_of(ideal[r]) * discount(r);
    for (const float y : labels) shares.push_back(dcg > 0 ? gain_of(y) / dcg : 0);
  }
  return shares;
}

}  // namespace podium
