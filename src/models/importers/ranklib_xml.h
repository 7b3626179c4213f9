// The XML ensembles of RankLib: one tag after another, no entities, no comments.
#pragma once

#include "models/importers/ranklib_file.h"
#include "models/importers/text_lines.h"

namespace podium {

// Reads ensembles from `line` and the lines after it.
std::vector<std::vector<RankLibTree>> parse_ensembles(std::string_view line, TextLines& lines);

}  // namespace podium
