// Formats JSON for people and for `diff`: one member of an object per line, arrays of plain values
// on one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "podium/options.h"

namespace podium {

std::string to_text(const nlohmann::ordered_json& json);

// The value of an option as JSON.
nlohmann::ordered_json value_json(const Value& value);

// The double whose shortest text is the float's shortest text, so that 0.1F is written 0.1.
double decimal(float x);

}  // namespace podium
