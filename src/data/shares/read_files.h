// Reading data files on several ranks: each rank its own file, or each a part of one.
#pragma once

#include <string>

#include "data/formats/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

// A whole file. Collective: all ranks of the context must call it, each with its own file.
Dataset read_whole_file(const std::string& path, Spread spread, const ReadOptions& options,
                        Context& context);
// This rank's part of a file that all ranks see. Collective: all ranks of the context must call it.
Dataset read_part_of_file(const std::string& path, const ReadOptions& options, Context& context);

}  // namespace podium
