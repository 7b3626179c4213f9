// Files with one number per line: scores, weights, group sizes. Blank lines are allowed only at the
// end, so that line n always belongs to row n.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "podium/error.h"

namespace podium {

// Calls body with each line, trimmed.
void for_each_number_line(const std::string& file,
                          const std::function<void(std::string_view, const Place&)>& body);

// The whole text as a finite number; throws an Error otherwise.
double parse_number_line(std::string_view text, const Place& place);

}  // namespace podium
