// One feature's values over one query's documents, rescaled; see transform.h for the formulas.
#pragma once

#include <span>
#include <vector>

#include "podium/transform.h"

namespace podium {

// In place. NaNs stay and are not counted. `scratch` only saves allocations.
void normalize_column(Normalization normalization, std::span<float> column,
                      std::vector<float>& scratch);

}  // namespace podium
