#include "podium/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

[[noreturn]] void reject(const Field& field, std::string_view text, std::string_view wanted) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: '{}' is not {}", option(field.name), text, wanted));
}

template <class T>
T parse_number(const Field& field, std::string_view text, std::string_view kind) {
  T number = 0;
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    reject(field, text, kind);
  if (!field.range.contains(static_cast<double>(number)))
    reject(field, text, fmt::format("{} {}", kind, field.range.text()));
  return number;
}

// Levenshtein distance, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, change}));
    }
  }
  return row.back();
}

}  // namespace

bool Range::contains(double x) const noexcept {
  return (low_end == Low::open ? x > low : x >= low) && x <= high;
}

std::string Range::text() const {
  if (std::isfinite(low) && std::isfinite(high))
    return low_end == Low::open ? fmt::format("above {}, up to {}", low, high)
                                : fmt::format("from {} to {}", low, high);
  if (std::isfinite(low)) return fmt::format("{} {}", low_end == Low::open ? ">" : ">=", low);
  if (std::isfinite(high)) return fmt::format("<= {}", high);
  return {};
}

std::string SearchRange::at(double share, const Value& initial) const {
  if (scale == Scale::choices) {
    const auto last = static_cast<double>(choices.size() - 1);
    const double place = std::floor(share * static_cast<double>(choices.size()));
    return choices[static_cast<std::size_t>(std::clamp(place, 0.0, last))];
  }
  const bool whole = std::holds_alternative<std::int64_t>(initial);
  // Every whole number gets the same part of the range, on its scale.
  const double from = whole ? low - 0.5 : low, to = whole ? high + 0.5 : high;
  const double x = scale == Scale::linear
                       ? from + share * (to - from)
                       : math::exp(math::log(from) + share * (math::log(to) - math::log(from)));
  if (whole) return fmt::format("{}", std::llround(std::clamp(x, low, high)));
  return fmt::format("{:.3g}", std::clamp(x, low, high));
}

std::string SearchRange::text() const {
  if (scale == Scale::logarithmic) return fmt::format("{} to {}, log scale", low, high);
  if (scale == Scale::linear) return fmt::format("{} to {}", low, high);
  std::string text;
  for (const std::string& choice : choices)
    text += (text.empty() ? "" : " | ") + (choice.empty() ? std::string("none") : choice);
  return text;
}

std::string to_text(const Value& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

Value parse_value(const Field& field, std::string_view text) {
  if (std::holds_alternative<bool>(field.initial)) {
    if (text == "true" || text == "1" || text == "on" || text == "yes") return true;
    if (text == "false" || text == "0" || text == "off" || text == "no") return false;
    reject(field, text, "true or false");
  }
  if (std::holds_alternative<std::int64_t>(field.initial))
    return parse_number<std::int64_t>(field, text, "a whole number");
  if (std::holds_alternative<double>(field.initial))
    return parse_number<double>(field, text, "a number");
  std::string word(text);
  if (!field.choices.empty() &&
      std::find(field.choices.begin(), field.choices.end(), word) == field.choices.end())
    reject(field, text,
           fmt::format("one of {}{}", fmt::join(field.choices, ", "),
                       suggestion(text, field.choices)));
  return word;
}

std::string nearest(std::string_view given, std::span<const std::string> names) {
  if (given.find_first_not_of("0123456789") == given.npos) return {};  // all numbers are near
  std::string best;
  std::size_t best_distance =
      std::min(std::max<std::size_t>(2, given.size() / 3), given.size() / 2) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(given, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  if (!best.empty() || given.size() < 2) return best;
  const auto begins = [given](const std::string& name) {
    return edit_distance(given, name.substr(0, given.size())) == 0;
  };
  const bool only_one = std::count_if(names.begin(), names.end(), begins) == 1;
  return only_one ? *std::find_if(names.begin(), names.end(), begins) : best;
}

std::string suggestion(std::string_view given, std::span<const std::string> names) {
  const std::string name = nearest(given, names);
  return name.empty() ? "" : ", did you mean " + name + "?";
}

Settings::Settings(std::span<const Field> fields, const Assignments& given) {
  for (const Field& field : fields) values_.emplace_back(field.name, field.initial);
  for (const auto& [name, text] : given) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&wanted = name](const Field& f) { return f.name == wanted; });
    if (field == fields.end()) {
      std::vector<std::string> names;
      for (const Field& f : fields) names.push_back(f.name);
      const std::string near = suggestion(name, names);
      throw Error(ErrorCode::usage,
                  fmt::format("unknown option '{}'{}", name,
                              near.empty() && !names.empty()
                                  ? fmt::format("; there are {}", fmt::join(names, ", "))
                                  : near));
    }
    values_[static_cast<std::size_t>(field - fields.begin())].second = parse_value(*field, text);
    given_.push_back(name);
  }
}

Settings Settings::of(std::vector<std::pair<std::string, Value>> values) {
  Settings settings;
  settings.values_ = std::move(values);
  return settings;
}

Settings Settings::of(std::span<const Field> fields,
                      const std::vector<std::pair<std::string, Value>>& values) {
  Settings settings(fields, {});
  for (const auto& [name, value] : values) {
    const auto place =
        std::find_if(settings.values_.begin(), settings.values_.end(),
                     [&key = name](const auto& known) { return known.first == key; });
    if (place == settings.values_.end() || place->second.index() != value.index())
      throw std::logic_error("no option of this kind: " + name);
    place->second = value;
  }
  return settings;
}

const Value& Settings::operator[](std::string_view name) const {
  for (const auto& [key, value] : values_)
    if (key == name) return value;
  throw Error(ErrorCode::usage, "no option '" + std::string(name) + "'");
}

bool Settings::given(std::string_view name) const {
  return std::find(given_.begin(), given_.end(), name) != given_.end();
}

}  // namespace podium
