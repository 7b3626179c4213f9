// LETOR text, with the shortest numbers that read back as the same floats.
#pragma once

#include <string>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Feature names that are ascending whole numbers become the ids, other names are replaced by 1, 2,
// … Weights and positions go into FILE.weight and FILE.position.
void write_letor(const Dataset& data, const std::string& path, Context& context);

}  // namespace podium
