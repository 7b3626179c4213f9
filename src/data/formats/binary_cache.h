// The .podium file: a Dataset's arrays, mapped into memory and used in place. Opening checks the
// header only; each block of data is checked (checksum and meaning) when it is first used.
#pragma once

#include <string>
#include <string_view>

#include "podium/dataset.h"

namespace podium {

Dataset read_binary_cache(const std::string& path);
// From a copy of bytes; `file` is for messages.
Dataset read_binary_cache(std::string_view bytes, const std::string& file);

// Rows are stored in document order: their position in the input file is not kept.
void write_binary_cache(const Dataset& data, const std::string& path);

}  // namespace podium
