// Data without the features that users want to ignore.
#pragma once

#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The schema remembers their names. Error where none would be left. Ranks with shares of the data
// call it together.
Dataset without_features(const Dataset& data, const std::vector<std::string>& names,
                         const std::string& file, Context& context);

}  // namespace podium
