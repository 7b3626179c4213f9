// Sorts floats, ascending, by a radix sort of their bits: linear in their number. Not for NaN.
#pragma once

#include <vector>

namespace podium {

void sort_floats(std::vector<float>& values);

}  // namespace podium
