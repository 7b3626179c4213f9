// Reads members of a JSON object of a model file; errors name the file and the key.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "podium/error.h"

namespace podium {

class ModelReader {
 public:
  using Json = nlohmann::ordered_json;

  ModelReader(const Json& json, std::string file, std::string path = "")
      : json_(json), file_(std::move(file)), path_(std::move(path)) {
    if (!json_.is_object())
      fail(path_.empty() ? "the model" : "'" + path_ + "'", "is not a JSON object");
  }

  bool has(const char* key) const { return json_.contains(key); }
  const Json& any(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail_at(key, "is missing");
    return *found;
  }
  ModelReader object(const char* key) const { return {any(key), file_, join(key)}; }
  std::vector<ModelReader> objects(const char* key) const {
    std::vector<ModelReader> out;
    for (const Json& value : array(key))
      out.emplace_back(value, file_, fmt::format("{}[{}]", join(key), out.size()));
    return out;
  }

  std::string text(const char* key) const {
    const Json& value = any(key);
    if (!value.is_string()) fail_at(key, "is not a string");
    return value.get<std::string>();
  }
  double number(const char* key) const { return finite(any(key), key); }
  std::uint64_t count(const char* key) const { return whole(any(key), key); }

  std::vector<double> numbers(const char* key) const {
    std::vector<double> out;
    for (const Json& value : array(key)) out.push_back(finite(value, key));
    return out;
  }
  std::vector<std::vector<double>> number_rows(const char* key) const {
    std::vector<std::vector<double>> out;
    for (const Json& row : array(key)) {
      if (!row.is_array()) fail_at(key, "is not an array of arrays");
      out.emplace_back();
      for (const Json& value : row) out.back().push_back(finite(value, key));
    }
    return out;
  }
  // Whole numbers of 32 bits.
  std::vector<std::vector<std::uint32_t>> count_rows(const char* key) const {
    std::vector<std::vector<std::uint32_t>> out;
    for (const Json& row : array(key)) {
      if (!row.is_array()) fail_at(key, "is not an array of arrays");
      out.emplace_back();
      for (const Json& value : row) {
        if (whole(value, key) > UINT32_MAX) fail_at(key, "contains a number that is too large");
        out.back().push_back(value.get<std::uint32_t>());
      }
    }
    return out;
  }
  std::vector<std::uint64_t> counts(const char* key) const {
    std::vector<std::uint64_t> out;
    for (const Json& value : array(key)) out.push_back(whole(value, key));
    return out;
  }
  // Signed 32-bit integers.
  std::vector<std::int32_t> integers(const char* key) const {
    std::vector<std::int32_t> out;
    for (const Json& value : array(key)) {
      const bool fits = value.is_number_unsigned()
                            ? value.get<std::uint64_t>() <= INT32_MAX
                            : value.is_number_integer() && value.get<std::int64_t>() >= INT32_MIN;
      if (!fits) fail_at(key, "contains something that is not a 32-bit whole number");
      out.push_back(value.get<std::int32_t>());
    }
    return out;
  }
  std::vector<bool> booleans(const char* key) const {
    std::vector<bool> out;
    for (const Json& value : array(key)) {
      if (!value.is_boolean()) fail_at(key, "contains something that is not true or false");
      out.push_back(value.get<bool>());
    }
    return out;
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> out;
    for (const Json& value : array(key)) {
      if (!value.is_string()) fail_at(key, "contains something that is not a string");
      out.push_back(value.get<std::string>());
    }
    return out;
  }

  // "not a Podium model: WHAT WHY".
  [[noreturn]] void fail(std::string_view what, std::string_view why) const {
    throw Error(ErrorCode::data, fmt::format("not a Podium model: {} {}", what, why), {file_});
  }
  // The same for a key of this object.
  [[noreturn]] void fail_at(const char* key, std::string_view why) const {
    fail("'" + join(key) + "'", why);
  }
  const Json& json() const noexcept { return json_; }
  const std::string& path() const noexcept { return path_; }
  const std::string& file() const noexcept { return file_; }

 private:
  const Json& array(const char* key) const {
    const Json& value = any(key);
    if (!value.is_array()) fail_at(key, "is not an array");
    return value;
  }
  double finite(const Json& value, const char* key) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
      fail_at(key, "is not a finite number");
    return value.get<double>();
  }
  std::uint64_t whole(const Json& value, const char* key) const {
    if (!value.is_number_unsigned()) fail_at(key, "is not a whole number");
    return value.get<std::uint64_t>();
  }
  std::string join(const char* key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json& json_;
  std::string file_;
  std::string path_;  // empty at the top
};

}  // namespace podium
