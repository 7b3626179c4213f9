// Data sets of ranks that were prepared separately and have different codes for the same
// categories.
#pragma once

#include <cstddef>
#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The same data with codes for the values of all ranks. `data` has the common width, of which this
// rank's `file` had the first `width` features. Throws the same Error on every rank if the
// categories are incompatible.
Dataset with_common_categories(const Dataset& data, std::size_t width, const std::string& file,
                               Context& context);

}  // namespace podium
