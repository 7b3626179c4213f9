// Numbers and names as other systems' parsers want them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podium {

// The fewest digits that read back to the same bits, always with a point or an exponent, so that
// no parser takes it for a whole number.
std::string real_text(double x);
std::string real_text(float x);

// A name in JSON, with its quotes.
std::string json_text(std::string_view name);

// Names without white space, which becomes '_'; Error (usage) when two become the same.
std::vector<std::string> names_without_spaces(const std::vector<std::string>& names,
                                              std::string_view format);

// For formats that know features by number: the names themselves where all are whole numbers from
// 1 on, else 1, 2, …
struct FeatureNumbers {
  std::vector<std::uint32_t> of;
  bool are_names = false;
};
FeatureNumbers feature_numbers(const std::vector<std::string>& names);

}  // namespace podium
