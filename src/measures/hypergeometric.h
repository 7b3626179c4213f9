// Drawing without replacement, as tied documents do: `size` documents of which `marked` are of one
// kind, in random order.
#pragma once

#include <cstddef>
#include <vector>

namespace podium {

// p[m] = probability that the first `draws` of them hold exactly m marked ones, m = 0 … min(draws,
// marked).
std::vector<double> hypergeometric(std::size_t size, std::size_t marked, std::size_t draws);

// The same for the likely m alone: what is left out has a chance of about 10⁻¹⁸ and less.
// O(√draws).
struct LikelyCounts {
  std::size_t first;      // the least m
  std::vector<double> p;  // of first, first + 1, …
};
LikelyCounts likely_hypergeometric(std::size_t size, std::size_t marked, std::size_t draws);

// The probability that none of the first `draws` is marked.
double none_marked(std::size_t size, std::size_t marked, std::size_t draws);

}  // namespace podium
