// Ranks' data sets that were stored apart, made alike.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The same data with the width, the feature names, the codes of categories and the storage (dense
// or sparse) that all ranks' data have together. Throws the same Error on every rank where that
// cannot be. `file`: this rank's.
Dataset with_common_storage(const Dataset& mine, const std::string& file, Context& context);

}  // namespace podium
