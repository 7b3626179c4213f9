// Rank discounts of nDCG, D(r) for r = 0 … count − 1, zero from the cut-off on.
//   log2   1 / log2(r + 2)
//   letor  1, 1, 1 / log2(r + 1): the LETOR tools' and [Chakrabarti08]'s
#pragma once

#include <cstddef>
#include <vector>

#include "podium/measure.h"

namespace podium {

std::vector<double> discounts(RankDiscount discount, std::size_t count);

}  // namespace podium
