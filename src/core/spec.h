// Measures, losses and oracles with parameters, as users write them: `name(parameter=value,…)@k`.
// The option `k` is written after the @, the others in parentheses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/options.h"

namespace podium {

struct Spec {
  std::string name;
  Assignments given;
};

// Quotes and blanks around names and values are dropped; @k may also precede the parentheses. The
// kind ("measure", "loss") is for error messages.
Spec parse_spec(std::string_view text, std::string_view kind);

// Checks every given parameter; errors name the measure or loss and the nearest parameter.
Settings settle_spec(const Spec& spec, std::string_view text, std::string_view kind,
                     std::span<const Field> fields);

// The name with the settings that differ from `defaults` (one value per field).
std::string format_spec(std::string_view name, std::span<const Field> fields,
                        const Settings& settings, std::span<const Value> defaults);
// With the defaults of the fields.
std::string format_spec(std::string_view name, std::span<const Field> fields,
                        const Settings& settings);

// Without blanks and quotes at either end.
std::string_view trim(std::string_view text);

// Splits at a separator outside parentheses.
std::vector<std::string_view> split_outside_parentheses(std::string_view text, char separator);

}  // namespace podium
