// Options about CSV columns, for data that has none.
#pragma once

#include <initializer_list>
#include <string>

#include "podium/data_io.h"

namespace podium {

// Usage error where an option names a column and none of the files has columns. Empty paths are no
// files.
void require_columns_used(const ReadOptions& options, std::initializer_list<std::string> paths);

}  // namespace podium
