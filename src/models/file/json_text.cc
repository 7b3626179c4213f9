#include "models/file/json_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace podium {
namespace {

using Json = nlohmann::ordered_json;

std::string plain(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_nested(const Json& json) {
  return json.is_structured() && !json.empty() &&
         (json.is_object() || std::any_of(json.begin(), json.end(),
                                          [](const Json& item) { return item.is_structured(); }));
}

void append(const Json& json, std::size_t indent, std::string& out) {
  if (!is_nested(json)) {
    out += plain(json);
    return;
  }
  out += json.is_object() ? '{' : '[';
  for (auto item = json.begin(); item != json.end(); ++item) {
    out += item == json.begin() ? "\n" : ",\n";
    out.append(indent + 1, ' ');
    if (json.is_object()) out += plain(item.key()) + ": ";
    append(*item, indent + 1, out);
  }
  out += '\n';
  out.append(indent, ' ');
  out += json.is_object() ? '}' : ']';
}

}  // namespace

Json value_json(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

std::string to_text(const Json& json) {
  std::string out;
  append(json, 0, out);
  return out;
}

double decimal(float x) {
  char text[32];
  const auto end = fmt::format_to(text, "{}", x);
  double value = 0;
  std::from_chars(text, end, value);
  return static_cast<float>(value) == x ? value : static_cast<double>(x);
}

}  // namespace podium
