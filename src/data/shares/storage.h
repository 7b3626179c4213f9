// Makes ranks store their parts of a data set in the same way.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// The same data with the width, feature names, category codes and storage (dense or sparse) that
// all ranks use. Throws the same Error on every rank if they are incompatible. `file`: this rank's.
Dataset with_common_storage(const Dataset& mine, const std::string& file, Context& context);

}  // namespace podium
