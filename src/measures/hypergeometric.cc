// Built up from the mode by the ratio p[m+1]/p[m], then normalised: every step is a product of
// small factors, so nothing overflows and the result is accurate to a few units in the last place.
#include "measures/hypergeometric.h"

#include <algorithm>

namespace podium {

std::vector<double> hypergeometric(std::size_t size, std::size_t marked, std::size_t draws) {
  const std::size_t most = std::min(draws, marked);
  const std::size_t least = draws + marked > size ? draws + marked - size : 0;
  std::vector<double> p(most + 1, 0.0);
  // p[m+1] / p[m]
  const auto ratio = [&](std::size_t m) {
    return static_cast<double>(marked - m) * static_cast<double>(draws - m) /
           (static_cast<double>(m + 1) * static_cast<double>(size - marked + m + 1 - draws));
  };
  const std::size_t mode = std::clamp((draws + 1) * (marked + 1) / (size + 2), least, most);
  p[mode] = 1;
  double total = 1;
  for (std::size_t m = mode; m < most; ++m) total += p[m + 1] = p[m] * ratio(m);
  for (std::size_t m = mode; m > least; --m) total += p[m - 1] = p[m] / ratio(m - 1);
  for (double& x : p) x /= total;
  return p;
}

double none_marked(std::size_t size, std::size_t marked, std::size_t draws) {
  if (draws + marked > size) return 0;
  double p = 1;
  for (std::size_t i = 0; i < draws; ++i)
    p *= static_cast<double>(size - marked - i) / static_cast<double>(size - i);
  return p;
}

}  // namespace podium
