// Latin hypercube sampling [McKay79]: n points in the unit cube such that in every dimension each
// of the n equal slices contains exactly one of them, at the same position within its slice. So
// every part of length s of a dimension, such as the part of one choice or of one whole number,
// contains ⌊ns⌋ or ⌈ns⌉ of the points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace podium {

// [point][dimension], each in [0, 1).
std::vector<std::vector<double>> latin_hypercube(std::size_t points, std::size_t dimensions,
                                                 std::uint64_t seed);

}  // namespace podium
