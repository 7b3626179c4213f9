// Sorts floats, ascending, with a radix sort of their bits, in linear time. Not for NaN.
#pragma once

#include <vector>

namespace podium {

void sort_floats(std::vector<float>& values);

}  // namespace podium
