#include "models/exporters/number_text.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {
namespace {

std::string with_point(std::string text) {
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string real_text(double x) {
  return with_point(fmt::format("{}", x));
}
std::string real_text(float x) {
  return with_point(fmt::format("{}", x));
}

std::string json_text(std::string_view name) {
  using Json = nlohmann::json;
  return Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> names_without_spaces(const std::vector<std::string>& names,
                                              std::string_view format) {
  std::vector<std::string> out = names;
  std::set<std::string_view> seen;
  for (std::string& name : out) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
    if (!seen.insert(name).second)
      throw Error(
          ErrorCode::data,
          fmt::format("cannot export to {}: it has no spaces in names, and without them two "
                      "features are called '{}'",
                      format, name));
  }
  return out;
}

FeatureNumbers feature_numbers(const std::vector<std::string>& names) {
  FeatureNumbers numbers{std::vector<std::uint32_t>(names.size()), true};
  for (std::size_t f = 0; f < names.size(); ++f) {
    const char* const end = names[f].data() + names[f].size();
    const auto [stop, error] = std::from_chars(names[f].data(), end, numbers.of[f]);
    if (error != std::errc() || stop != end || numbers.of[f] == 0 || names[f][0] == '0')
      numbers.are_names = false;
  }
  if (!numbers.are_names)
    for (std::size_t f = 0; f < names.size(); ++f)
      numbers.of[f] = static_cast<std::uint32_t>(f) + 1;
  return numbers;
}

}  // namespace podium
