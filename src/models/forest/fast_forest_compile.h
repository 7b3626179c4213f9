#pragma once

#include <span>

#include "models/forest/fast_forest_layout.h"
#include "models/forest/feature_block.h"
#include "podium/model.h"

namespace podium {

// The trees in the layout of fast_forest_layout.h.
FastTrees compile(std::span<const Tree> trees, const BlockColumns& columns);

}  // namespace podium
