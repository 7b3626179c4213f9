// Product search as a table of a shop would have it: text columns, missing values, clicks and
// purchases beside grades.
#pragma once

#include <cstdint>

#include "podium/dataset.h"
#include "podium/synthetic.h"

namespace podium {

inline constexpr std::int64_t kShopFeatures = 11, kShopGrades = 4;

// Queries `first` … `last` − 1.
Dataset make_shop(const SyntheticOptions& resolved, std::uint64_t first, std::uint64_t last,
                  Context& context);

}  // namespace podium
