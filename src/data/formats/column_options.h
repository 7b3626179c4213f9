// Rejects options about CSV columns for data without named columns.
#pragma once

#include <initializer_list>
#include <string>

#include "podium/data_io.h"

namespace podium {

// Throws a usage Error if an option names a column and none of the files has named columns. Empty
// paths are ignored.
void require_columns_used(const ReadOptions& options, std::initializer_list<std::string> paths);

}  // namespace podium
