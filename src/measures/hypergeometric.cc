// Built up from the mode by the ratio p[m+1]/p[m], then normalised: every step is a product of
// small factors, so nothing overflows and the result is accurate to a few units in the last place.
#include "measures/hypergeometric.h"

#include <algorithm>

namespace podium {

namespace {

constexpr double kUnlikely = 1e-20;  // relative to the mode

struct Draws {
  std::size_t size, marked, draws;

  std::size_t most() const { return std::min(draws, marked); }
  std::size_t least() const { return draws + marked > size ? draws + marked - size : 0; }
  std::size_t mode() const {
    return std::clamp((draws + 1) * (marked + 1) / (size + 2), least(), most());
  }
  // p[m+1] / p[m]
  double ratio(std::size_t m) const {
    return static_cast<double>(marked - m) * static_cast<double>(draws - m) /
           (static_cast<double>(m + 1) * static_cast<double>(size - marked + m + 1 - draws));
  }
};

// The m whose probability, relative to that of the mode, is at least `smallest`.
LikelyCounts chances(const Draws& of, double smallest) {
  std::vector<double> below, above;
  double p = 1, total = 1;
  for (std::size_t m = of.mode(); m > of.least() && p >= smallest; --m)
    below.push_back(p /= of.ratio(m - 1));
  for (const double x : below) total += x;
  p = 1;
  for (std::size_t m = of.mode(); m < of.most() && p >= smallest; ++m)
    total += above.emplace_back(p *= of.ratio(m));
  LikelyCounts counts{of.mode() - below.size(), {below.rbegin(), below.rend()}};
  counts.p.push_back(1);
  counts.p.insert(counts.p.end(), above.begin(), above.end());
  for (double& x : counts.p) x /= total;
  return counts;
}

}  // namespace

std::vector<double> hypergeometric(std::size_t size, std::size_t marked, std::size_t draws) {
  LikelyCounts counts = chances({size, marked, draws}, 0);
  counts.p.insert(counts.p.begin(), counts.first, 0.0);
  return std::move(counts.p);
}

LikelyCounts likely_hypergeometric(std::size_t size, std::size_t marked, std::size_t draws) {
  return chances({size, marked, draws}, kUnlikely);
}

double none_marked(std::size_t size, std::size_t marked, std::size_t draws) {
  if (draws + marked > size) return 0;
  double p = 1;
  for (std::size_t i = 0; i < draws; ++i)
    p *= static_cast<double>(size - marked - i) / static_cast<double>(size - i);
  return p;
}

}  // namespace podium
