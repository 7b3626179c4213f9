// Data files as ranks read them: each its own file, or each a part of one.
#pragma once

#include <string>

#include "data/formats/assemble.h"
#include "podium/context.h"
#include "podium/data_io.h"
#include "podium/dataset.h"

namespace podium {

// All of a file. All ranks of the context call this together, with files of their own.
Dataset read_whole_file(const std::string& path, Spread spread, const ReadOptions& options,
                        Context& context);
// This rank's part of a file that all ranks see. All ranks of the context call this together.
Dataset read_part_of_file(const std::string& path, const ReadOptions& options, Context& context);

}  // namespace podium
