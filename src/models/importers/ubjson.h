// Universal Binary JSON, in which XGBoost saves models (`.ubj`): a marker byte before each value,
// numbers in big-endian order, arrays and objects perhaps with a count (#) and the marker of all
// their values ($) in front.
//
// No container is believed to be larger than the bytes that are left: a file of n bytes takes O(n)
// memory. Values without bytes ($Z, $T, $F, $N) as the type of a container are refused for that
// reason, and H (numbers of any size) because no model has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace podium {

// Whether the bytes are an object of UBJSON rather than one of JSON: JSON has a quote, a brace or
// blanks after the first brace.
bool is_ubjson(std::string_view bytes) noexcept;
// Error (data) with the byte.
nlohmann::json parse_ubjson(std::string_view bytes, const std::string& file);

}  // namespace podium
