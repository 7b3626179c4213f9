// Many p-values at once. In ascending order p_(1) … p_(m):
//   Holm:               adjusted p_(i) = max over j ≤ i of min(1, (m − j + 1) p_(j));
//   Benjamini–Hochberg: adjusted p_(i) = min over j ≥ i of min(1, m p_(j) / j).
// [Holm79], [Benjamini95]
#include <algorithm>

#include "podium/significance.h"

namespace podium {
namespace {

std::vector<std::size_t> ascending(const PValues& p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return *p[a] < *p[b]; });
  return order;
}

}  // namespace

PValues holm(const PValues& p) {
  PValues adjusted(p.size());
  const auto order = ascending(p);
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto left = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, left * *p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

PValues benjamini_hochberg(const PValues& p) {
  PValues adjusted(p.size());
  const auto order = ascending(p);
  const auto m = static_cast<double>(order.size());
  double smallest = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    smallest = std::min(smallest, m * *p[order[i]] / static_cast<double>(i + 1));
    adjusted[order[i]] = smallest;
  }
  return adjusted;
}

}  // namespace podium
