#include "models/importers/json_part.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "models/importers/text_lines.h"
#include "podium/error.h"

namespace podium {
namespace {

// The whole text as a number; false if it is none.
template <class Number>
bool reads_as(std::string_view text, Number& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size();
}

}  // namespace

JsonPart JsonPart::at(const std::string& key) const {
  if (!json_->is_object()) fail("is not an object");
  const auto found = json_->find(key);
  JsonPart part(found == json_->end() ? *json_ : *found, *file_,
                fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", TextLines::shown(key)));
  if (found == json_->end()) part.fail("is missing");
  return part;
}

std::vector<std::pair<std::string, JsonPart>> JsonPart::members() const {
  if (!json_->is_object()) fail("is not an object");
  std::vector<std::pair<std::string, JsonPart>> out;
  for (const auto& [key, value] : json_->items())
    out.emplace_back(key, JsonPart(value, *file_,
                                   fmt::format("{}{}{}", path_, path_.empty() ? "" : ".",
                                               TextLines::shown(key))));
  return out;
}

std::vector<JsonPart> JsonPart::items() const {
  require_array();
  std::vector<JsonPart> out;
  out.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) out.push_back(item(i));
  return out;
}

JsonPart JsonPart::item(std::size_t index) const {
  return {(*json_)[index], *file_, fmt::format("{}[{}]", path_, index)};
}

const std::string& JsonPart::text() const {
  if (!json_->is_string()) fail("is not a string");
  return json_->get_ref<const std::string&>();
}

double JsonPart::number() const {
  if (!json_->is_number() || !std::isfinite(json_->get<double>())) fail("is not a finite number");
  return json_->get<double>();
}

double JsonPart::number_or_text() const {
  if (!json_->is_string()) return number();
  std::string_view digits = text();
  if (!digits.empty() && std::string_view("fFdD").find(digits.back()) != std::string_view::npos)
    digits.remove_suffix(1);
  double value = 0;
  if (!reads_as(digits, value) || !std::isfinite(value)) fail("is not a finite number");
  return value;
}

bool JsonPart::boolean() const {
  if (json_->is_boolean()) return json_->get<bool>();
  if (json_->is_string() && (text() == "true" || text() == "false")) return text() == "true";
  const std::int64_t value = whole();
  if (value != 0 && value != 1) fail("is not true or false");
  return value == 1;
}

std::int64_t JsonPart::whole() const {
  std::int64_t value = 0;
  const bool fits = json_->is_string()
                        ? reads_as(text(), value)
                        : json_->is_number_integer() && (!json_->is_number_unsigned() ||
                                                         json_->get<std::uint64_t>() <= INT64_MAX);
  if (!fits) fail("is not a whole number");
  return json_->is_string() ? value : json_->get<std::int64_t>();
}

std::vector<double> JsonPart::numbers() const {
  require_array();
  std::vector<double> out;
  out.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) {
    const Json& value = (*json_)[i];
    if (!value.is_number()) item(i).fail("is not a number");
    out.push_back(value.get<double>());
  }
  return out;
}

std::vector<std::int64_t> JsonPart::wholes() const {
  require_array();
  std::vector<std::int64_t> out;
  out.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) {
    const Json& value = (*json_)[i];
    out.push_back(value.is_number_integer() ? value.get<std::int64_t>() : item(i).whole());
  }
  return out;
}

std::vector<bool> JsonPart::booleans() const {
  require_array();
  std::vector<bool> out;
  out.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) out.push_back(item(i).boolean());
  return out;
}

std::vector<std::string> JsonPart::texts() const {
  std::vector<std::string> out;
  for (const JsonPart& part : items()) out.push_back(part.text());
  return out;
}

void JsonPart::fail(std::string_view why) const {
  throw Error(ErrorCode::data,
              path_.empty() ? fmt::format("the file {}", why) : fmt::format("'{}' {}", path_, why),
              {*file_});
}

void JsonPart::require_array() const {
  if (!json_->is_array()) fail("is not an array");
}

nlohmann::json parse_import(std::string_view text, const std::string& file, std::string_view tool) {
  using Json = nlohmann::json;
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto part = text.substr(0, std::min(error.byte, text.size()));
    throw Error(ErrorCode::data, fmt::format("not {} model in JSON, or a damaged one", tool),
                {file, 1 + static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'))});
  } catch (const Json::out_of_range&) {
    throw Error(ErrorCode::data, "a number in the file is too large", {file});
  }
}

}  // namespace podium
