// The columns that a tree may use: a fraction of all, those with the smallest hashes of their
// feature's number, the seed and the tree's number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trees/binned_dataset.h"

namespace podium {

// Ascending; at least one of them, if there are any.
std::vector<std::uint32_t> draw_columns(std::span<const BinnedFeature> columns, double fraction,
                                        std::uint64_t seed, std::uint64_t tree);

}  // namespace podium
