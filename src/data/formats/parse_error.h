// Messages about wrong tokens in a text file.
#pragma once

#include <string>
#include <string_view>

#include "core/text_scan.h"

namespace podium {

// At most a few dozen characters, with control characters made visible.
std::string shortened(std::string_view text);
// The token that begins at p and ends before white space or a line end, shortened.
std::string token_at(const char* p);
// "WHAT is 'TOKEN', which is not a number"
std::string number_problem(std::string_view what, std::string_view token, ScanStatus status);

}  // namespace podium
