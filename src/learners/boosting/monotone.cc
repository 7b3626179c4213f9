#include "learners/boosting/monotone.h"

#include <fmt/format.h>

#include "core/spec.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {

std::vector<std::int8_t> parse_monotone(const std::string& text, const Dataset& data) {
  if (text.empty()) return {};
  std::vector<std::int8_t> signs(data.features(), 0);
  for (const std::string_view item : split_outside_parentheses(text, ',')) {
    const std::size_t colon = item.rfind(':');
    const std::string_view sign = colon == item.npos ? "" : trim(item.substr(colon + 1));
    if (sign != "+1" && sign != "1" && sign != "-1")
      throw Error(ErrorCode::usage,
                  fmt::format("--monotone '{}': write FEATURE:+1 or FEATURE:-1", item));
    const std::string name(trim(item.substr(0, colon)));
    const std::size_t feature = find_features({name}, data).front();
    if (feature >= signs.size())
      throw Error(ErrorCode::usage, fmt::format("--monotone: no feature '{}' in the data", name));
    if (signs[feature] != 0)
      throw Error(ErrorCode::usage, fmt::format("--monotone names feature '{}' twice", name));
    signs[feature] = sign == "-1" ? -1 : 1;
  }
  return signs;
}

}  // namespace podium
