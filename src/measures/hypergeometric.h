// Drawing without replacement, as tied documents do: `size` documents of which `marked` are of one
// kind, in random order.
#pragma once

#include <cstddef>
#include <vector>

namespace podium {

// p[m] = probability that the first `draws` of them hold exactly m marked ones, m = 0 … min(draws,
// marked).
std::vector<double> hypergeometric(std::size_t size, std::size_t marked, std::size_t draws);

// The probability that none of the first `draws` is marked.
double none_marked(std::size_t size, std::size_t marked, std::size_t draws);

}  // namespace podium
