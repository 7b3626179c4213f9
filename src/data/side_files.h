// Files beside a LETOR file F: F.query or F.group (a group size a line), F.weight (a weight a row,
// or a query), F.position (a display position a row). Compressed data `F.gz` has them beside it as
// `F.query`, or `F.gz.query`.
#pragma once

#include <string>

#include "data/assemble.h"
#include "podium/context.h"

namespace podium {

// Fills `around` from those that exist.
void read_side_files(const std::string& path, Surroundings& around, Context& context);

std::string side_file(const std::string& path, const std::string& kind);

}  // namespace podium
