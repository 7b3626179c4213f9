#include "server/request_parameters.h"

#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/options.h"

namespace podium {
namespace {

const std::array<std::string, 6> kParameters = {"absent", "limit",   "model",
                                                "query",  "session", "top"};

[[noreturn]] void fail(std::string_view message) {
  throw Error(ErrorCode::data, message);
}

std::size_t parse_count(const std::string& name, const std::string& text) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    fail(fmt::format("{}: '{}' is not a whole number", name, text));
  return value;
}

void set_parameter(ScoringRequest& request, const std::string& name, const std::string& value) {
  if (name == "absent")
    request.absent = parse_absent(value);
  else if (name == "limit")
    request.limit = parse_count(name, value);
  else if (name == "model")
    request.model = value;
  else if (name == "query")
    request.query = value;
  else if (name == "session")
    request.session = value;
  else if (name == "top")
    request.top = parse_count(name, value);
  else
    fail(fmt::format("unknown parameter '{}'{}", name, suggestion(name, kParameters)));
}

}  // namespace

std::string model_parameter(const RequestParameters& parameters) {
  return with_parameters(parameters).model;
}

float parse_absent(std::string_view text) {
  if (text == "zero") return 0;
  if (text == "missing") return std::numeric_limits<float>::quiet_NaN();
  fail(fmt::format("absent: '{}' is neither zero nor missing", text));
}

ScoringRequest with_parameters(const RequestParameters& parameters) {
  ScoringRequest request;
  for (const auto& [name, value] : parameters) {
    if (parameters.count(name) > 1) fail(fmt::format("the parameter '{}' is given twice", name));
    set_parameter(request, name, value);
  }
  return request;
}

}  // namespace podium
