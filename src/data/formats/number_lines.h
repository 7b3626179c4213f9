// Files with one number per line: scores, weights, group sizes. Blank lines at the end are allowed,
// and nowhere else, so that line n always belongs to row n.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "podium/error.h"

namespace podium {

// Calls body with each line, trimmed.
void for_each_number_line(const std::string& file,
                          const std::function<void(std::string_view, const Place&)>& body);

// The finite number that the whole text is, or an Error.
double parse_number_line(std::string_view text, const Place& place);

}  // namespace podium
