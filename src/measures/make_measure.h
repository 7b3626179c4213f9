// A measure from a user's text and further parameters given as values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/measure.h"

namespace podium {

// Parses the text as parse_measure does; the values override the text and the convention. Throws a
// usage Error if the measure has no such parameter.
MeasurePtr make_measure(std::string_view text,
                        const std::vector<std::pair<std::string, Value>>& values,
                        const Convention& convention);

}  // namespace podium
