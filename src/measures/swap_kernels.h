// The inner loop of the swap weights of additive measures, in the widest vectors that the machine
// supports. Every machine computes the same bits.
#pragma once

#include <cstddef>

namespace podium {

// weight[j] = |(gain[pivot] − gain[j]) · (discount[pivot] − discount[j])| for j = begin … end − 1,
// multiples of kWeightBlock; all arrays extend to `end`.
void additive_swap_row(const double* gain, const double* discount, std::size_t pivot,
                       std::size_t begin, std::size_t end, double* weight);

}  // namespace podium
