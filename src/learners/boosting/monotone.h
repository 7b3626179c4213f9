// --monotone: which features may only raise or lower the score.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "podium/dataset.h"

namespace podium {

// "3:+1,17:-1" as one sign a feature; empty where nothing is asked for.
std::vector<std::int8_t> parse_monotone(const std::string& text, const Dataset& data);

}  // namespace podium
