// Rank discounts of nDCG, D(r) for r = 0 … count − 1, zero from the cut-off on.
//   log2   1 / log2(r + 2)
//   letor  1, 1, 1 / log2(r + 1): the LETOR tools' and [Chakrabarti08]'s
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace podium {

enum class Discount { log2, letor };

Discount parse_discount(std::string_view name);
std::vector<double> discounts(Discount discount, std::size_t count);

}  // namespace podium
