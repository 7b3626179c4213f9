#include "measures/definition.h"

#include <fmt/format.h>

namespace podium {

std::string format_measure_name(std::string_view name, std::span<const Field> fields,
                                const Settings& settings, std::span<const Value> defaults) {
  std::string parameters, cut;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const Value& value = settings[field.name];
    if (field.name == "k") {
      // A recall level (a real k) is always written, a rank only when there is one.
      if (std::holds_alternative<double>(value) || value != defaults[i])
        cut = fmt::format("@{}", to_text(value));
    } else if (value != defaults[i]) {
      parameters +=
          fmt::format("{}{}={}", parameters.empty() ? "" : ",", field.name, to_text(value));
    }
  }
  if (!parameters.empty()) parameters = fmt::format("({})", parameters);
  return fmt::format("{}{}{}", name, parameters, cut);
}

std::string canonical_name(std::string_view name, std::span<const Field> fields,
                           const Settings& settings) {
  std::vector<Value> defaults;
  for (const Field& field : fields) defaults.push_back(field.initial);
  return format_measure_name(name, fields, settings, defaults);
}

}  // namespace podium
