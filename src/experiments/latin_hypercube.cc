#include "experiments/latin_hypercube.h"

#include <numeric>

#include "core/random.h"

namespace podium {

std::vector<std::vector<double>> latin_hypercube(std::size_t points, std::size_t dimensions,
                                                 std::uint64_t seed) {
  constexpr std::uint64_t kStream = 0x6C6174696E;  // "latin": the streams used here
  std::vector<std::vector<double>> cube(points, std::vector<double>(dimensions));
  for (std::size_t d = 0; d < dimensions; ++d) {
    Random random(seed, kStream + d);
    std::vector<std::size_t> slice(points);
    std::iota(slice.begin(), slice.end(), std::size_t{0});
    random.shuffle(std::span(slice));
    const double place = random.uniform();
    for (std::size_t p = 0; p < points; ++p)
      cube[p][d] = (static_cast<double>(slice[p]) + place) / static_cast<double>(points);
  }
  return cube;
}

}  // namespace podium
