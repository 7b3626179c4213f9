// JSON as text for people and for `diff`: one member of an object a line, arrays of plain values on
// one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace podium {

std::string to_text(const nlohmann::ordered_json& json);

// The double whose shortest text is the float's shortest text, so that 0.1F is written 0.1.
double decimal(float x);

}  // namespace podium
