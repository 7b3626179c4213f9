// How boosting grows its trees.
#pragma once

#include "learners/boosting/boosting.h"
#include "podium/dataset.h"
#include "trees/tree_options.h"

namespace podium {

// Error where --monotone names no feature of the data.
TreeOptions tree_options(const BoostingOptions& options, const Dataset& data);

}  // namespace podium
