#include "core/spec.h"

#include <algorithm>

#include <fmt/format.h>

#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

[[noreturn]] void reject(std::string_view kind, std::string_view text, std::string_view why) {
  throw Error(ErrorCode::usage, fmt::format("{} '{}': {}", kind, text, why));
}

// Adds the parameters between two parentheses.
void add_parameters(std::string_view inside, std::string_view kind, std::string_view text,
                    Assignments& given) {
  for (const std::string_view parameter : split_outside_parentheses(inside, ',')) {
    if (trim(parameter).empty()) continue;
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos)
      reject(kind, text, fmt::format("'{}' is not a parameter: write name=value", trim(parameter)));
    given.emplace_back(trim(parameter.substr(0, equals)), trim(parameter.substr(equals + 1)));
  }
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view kDropped = " \t\r\n'\"";
  const std::size_t begin = text.find_first_not_of(kDropped);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kDropped) - begin + 1);
}

Spec parse_spec(std::string_view text, std::string_view kind) {
  const std::size_t name_end = std::min(text.find_first_of("(@"), text.size());
  Spec spec{std::string(trim(text.substr(0, name_end))), {}};
  if (spec.name.empty()) reject(kind, text, "the name is missing");
  for (std::string_view rest = trim(text.substr(name_end)); !rest.empty();) {
    if (rest.front() == '(') {
      const std::size_t close = rest.find(')');
      if (close == std::string_view::npos) reject(kind, text, "the parenthesis is not closed");
      add_parameters(rest.substr(1, close - 1), kind, text, spec.given);
      rest = trim(rest.substr(close + 1));
    } else if (rest.front() == '@') {
      const std::size_t end = std::min(rest.find('('), rest.size());
      spec.given.emplace_back("k", trim(rest.substr(1, end - 1)));
      rest = rest.substr(end);
    } else {
      reject(kind, text, fmt::format("unexpected '{}'", rest));
    }
  }
  return spec;
}

std::string format_spec(std::string_view name, std::span<const Field> fields,
                        const Settings& settings, std::span<const Value> defaults) {
  std::string parameters, cut;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const Value& value = settings[field.name];
    if (field.name == "k") {
      // 0 means no cut-off where that is the default.
      if (value != defaults[i] || value != Value(std::int64_t{0})) cut = "@" + to_text(value);
    } else if (value != defaults[i]) {
      parameters +=
          fmt::format("{}{}={}", parameters.empty() ? "" : ",", field.name, to_text(value));
    }
  }
  if (!parameters.empty()) parameters = fmt::format("({})", parameters);
  return fmt::format("{}{}{}", name, parameters, cut);
}

std::string format_spec(std::string_view name, std::span<const Field> fields,
                        const Settings& settings) {
  std::vector<Value> defaults;
  for (const Field& field : fields) defaults.push_back(field.initial);
  return format_spec(name, fields, settings, defaults);
}

Settings settle_spec(const Spec& spec, std::string_view text, std::string_view kind,
                     std::span<const Field> fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  for (const auto& [name, value] : spec.given) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&, &key = name](const Field& f) { return f.name == key; });
    if (field == fields.end() && name == "k")
      reject(kind, text, fmt::format("{} has no cut-off", spec.name));
    if (field == fields.end())
      reject(kind, text, fmt::format("no parameter '{}'{}", name, suggestion(name, names)));
    try {
      parse_value(*field, value);
    } catch (const Error& error) {
      reject(kind, text, spell_options(error.message(), bare_option));
    }
  }
  return Settings(fields, spec.given);
}

std::vector<std::string_view> split_outside_parentheses(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] != separator || depth > 0) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace podium
