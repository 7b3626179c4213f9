// Drawing without replacement, for tied documents: `size` documents in random order, of which
// `marked` are of one kind.
#pragma once

#include <cstddef>
#include <vector>

namespace podium {

// p[m] = probability that the first `draws` of them contain exactly m marked ones, m = 0 …
// min(draws, marked).
std::vector<double> hypergeometric(std::size_t size, std::size_t marked, std::size_t draws);

// The same for likely m only: the probability of each m left out is at most about 10⁻¹⁸. O(√draws).
struct LikelyCounts {
  std::size_t first;      // the smallest m
  std::vector<double> p;  // of first, first + 1, …
};
LikelyCounts likely_hypergeometric(std::size_t size, std::size_t marked, std::size_t draws);

// The probability that none of the first `draws` is marked.
double none_marked(std::size_t size, std::size_t marked, std::size_t draws);

}  // namespace podium
