// A part of another tool's JSON file that knows where in the file it is: errors name the file and
// the path to the part.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace podium {

class JsonPart {
 public:
  using Json = nlohmann::json;

  JsonPart(const Json& json, const std::string& file, std::string path = "")
      : json_(&json), file_(&file), path_(std::move(path)) {}

  bool has(const std::string& key) const { return json_->is_object() && json_->contains(key); }
  bool is_array() const noexcept { return json_->is_array(); }
  bool is_text() const noexcept { return json_->is_string(); }
  // Error (data) if this is not an object with this member.
  JsonPart at(const std::string& key) const;
  std::vector<std::pair<std::string, JsonPart>> members() const;  // of an object
  std::vector<JsonPart> items() const;                            // of an array

  const std::string& text() const;
  double number() const;          // finite
  double number_or_text() const;  // the same, perhaps a string, as Java reads it: "0.5f"
  bool boolean() const;           // true, false, 1 or 0, perhaps written as a string
  std::int64_t whole() const;     // perhaps written as a string
  std::vector<double> numbers() const;
  std::vector<std::int64_t> wholes() const;
  std::vector<bool> booleans() const;
  std::vector<std::string> texts() const;

  [[noreturn]] void fail(std::string_view why) const;  // FILE: 'PATH' WHY
  const std::string& file() const noexcept { return *file_; }

 private:
  JsonPart item(std::size_t index) const;
  void require_array() const;

  const Json* json_;
  const std::string* file_;
  std::string path_;
};

// `tool`: for the message, "not XGBoost's JSON".
nlohmann::json parse_import(std::string_view text, const std::string& file, std::string_view tool);

}  // namespace podium
