// Numbers in JSON, which has neither NaN nor infinity: those are null.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace podium {

inline nlohmann::ordered_json json_number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json json_number(const std::optional<double>& x) {
  return x ? json_number(*x) : nlohmann::ordered_json(nullptr);
}
inline double number_or_nan(const nlohmann::ordered_json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace podium
