#pragma once

#include <span>

#include "models/forest/fast_forest_layout.h"
#include "models/forest/feature_block.h"
#include "podium/model.h"

namespace podium {

// The trees in the layout of fast_forest_layout.h. Category splits compare a column of their own,
// in their order, after the others: 0 goes left, 1 right.
FastTrees compile(std::span<const Tree> trees, const BlockColumns& columns);

}  // namespace podium
