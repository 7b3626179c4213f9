// Numbers and names in the form that other systems' parsers expect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace podium {

// The fewest digits that read back to the same bits, always with a point or an exponent, so that no
// parser reads an integer.
std::string real_text(double x);
std::string real_text(float x);

// A name in JSON, with its quotes.
std::string json_text(std::string_view name);

// Names with white space replaced by '_'; throws a usage Error if two become the same.
std::vector<std::string> names_without_spaces(const std::vector<std::string>& names,
                                              std::string_view format);

// For formats that number features: the names themselves if all are whole numbers ≥ 1, else 1, 2, …
struct FeatureNumbers {
  std::vector<std::uint32_t> of;
  bool are_names = false;
};
FeatureNumbers feature_numbers(const std::vector<std::string>& names);

}  // namespace podium
