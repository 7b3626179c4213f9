// Removes features that users want to ignore.
#pragma once

#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The schema keeps their names. Throws an Error if none would be left. Collective: all ranks must
// call it, each with its part of the data.
Dataset without_features(const Dataset& data, const std::vector<std::string>& names,
                         const std::string& file, Context& context);

}  // namespace podium
