// The feature named by the training option `wanting` (implemented in feature_list.cc).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "podium/dataset.h"

namespace podium {

// Its index in prepared data. Throws a usage Error with the closest name if no document has it, or
// if it was not selected.
std::size_t find_trained_feature(std::string_view wanting, const std::string& name,
                                 const Dataset& prepared);

}  // namespace podium
