// Ranks' data sets that were prepared apart, with codes of categories of their own.
#pragma once

#include <cstddef>
#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The same data with the codes that all ranks' values have together. `data` has the width of all
// ranks, of which this rank's `file` had the first `width` features. Throws the same Error on every
// rank where that cannot be.
Dataset with_common_categories(const Dataset& data, std::size_t width, const std::string& file,
                               Context& context);

}  // namespace podium
