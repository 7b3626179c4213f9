// A measure that is named by a user, with more said about it by values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "podium/measure.h"

namespace podium {

// As parse_measure reads it; the values win over the text and over the convention. Usage error
// where the measure has no such parameter.
MeasurePtr make_measure(std::string_view text,
                        const std::vector<std::pair<std::string, Value>>& values,
                        const Convention& convention);

}  // namespace podium
