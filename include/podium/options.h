// Options, declared once. An algorithm keeps its options in one aggregate with inline defaults and
// lists each member in an OptionTable: name, range and help. Parsing, validation, `--help`, the
// reference pages, the model file and the Python keywords all follow from that list.
//
//   struct RidgeOptions { double l2 = 1e-3; };
//
//   const auto table =
//       OptionTable<RidgeOptions>().add("l2", &RidgeOptions::l2, "penalty", at_least(0));
//
//   RidgeOptions options = table.read(Settings(table.fields(), {{"l2", "0.5"}}));
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace podium {

using Value = std::variant<bool, std::int64_t, double, std::string>;

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  enum class Low { closed, open } low_end = Low::closed;

  bool contains(double x) const noexcept;
  std::string text() const;  // ">= 0", "> 0", "0 to 1", "" when unbounded
};
constexpr Range at_least(double low) {
  return {low};
}
constexpr Range above(double low) {
  return {low, std::numeric_limits<double>::infinity(), Range::Low::open};
}
constexpr Range between(double low, double high) {
  return {low, high};
}

// The range in which tuning searches for an option's value: whole numbers for integer options, and
// numbers as text for text options.
struct SearchRange {
  enum class Scale { linear, logarithmic, choices } scale = Scale::linear;
  double low = 0, high = 0;
  std::vector<std::string> choices = {};

  // The value at this fraction, in [0, 1), of the range, as text.
  std::string at(double share, const Value& initial) const;
  std::string text() const;  // "4 to 64, log scale", "tanh | relu"
};
inline SearchRange evenly(double low, double high) {
  return {SearchRange::Scale::linear, low, high};
}
inline SearchRange by_factors(double low, double high) {
  return {SearchRange::Scale::logarithmic, low, high};
}
inline SearchRange among(std::vector<std::string> choices) {
  return {SearchRange::Scale::choices, 0, 0, std::move(choices)};
}

struct Field {
  std::string name;  // kebab-case, as on the command line
  std::string help;  // names other options as described in option_text.h
  Value initial;
  Range range = {};                        // numbers only
  std::vector<std::string> choices = {};   // text only; empty: any text
  std::optional<SearchRange> search = {};  // none: not tuned
};

// A value as text that can be parsed back, and a text as the value of a field (throws an Error if
// it is not valid).
std::string to_text(const Value& value);
Value parse_value(const Field& field, std::string_view text);

// The member of `names` that a user most likely meant, or "" if none is similar.
std::string nearest(std::string_view given, std::span<const std::string> names);
// ", did you mean NAME?" or "".
std::string suggestion(std::string_view given, std::span<const std::string> names);

using Assignments = std::vector<std::pair<std::string, std::string>>;

// A value for every field: the given ones, checked, and defaults for the rest.
class Settings {
 public:
  Settings() = default;
  Settings(std::span<const Field> fields, const Assignments& given);

  const Value& operator[](std::string_view name) const;
  bool given(std::string_view name) const;
  std::span<const std::pair<std::string, Value>> values() const noexcept { return values_; }
  // These values unchanged, which must have the fields' types; none is marked as given. With
  // fields: defaults for the rest.
  static Settings of(std::vector<std::pair<std::string, Value>> values);
  static Settings of(std::span<const Field> fields,
                     const std::vector<std::pair<std::string, Value>>& values);

 private:
  std::vector<std::pair<std::string, Value>> values_;
  std::vector<std::string> given_;
};

// The names of an enumeration's values, in the order in which help texts list them.
template <class Enum>
using Choices = std::vector<std::pair<std::string, Enum>>;

// The name of a value; "" for one that users cannot select.
template <class Enum>
std::string choice_name(const Choices<Enum>& choices, Enum value) {
  for (const auto& [name, choice] : choices)
    if (choice == value) return name;
  return {};
}

// The value of that name; nullopt if there is none.
template <class Enum>
std::optional<Enum> choice_named(const Choices<Enum>& choices, std::string_view wanted) {
  for (const auto& [name, choice] : choices)
    if (name == wanted) return choice;
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> choice_names(const Choices<Enum>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  return names;
}

template <class Options>
class OptionTable {
 public:
  OptionTable& add(std::string name, bool Options::*member, std::string help) {
    return bind<bool>({std::move(name), std::move(help), Value(defaults().*member)}, member);
  }
  // A member of Options, or of a struct that it extends.
  template <std::integral Int, class Owner>
  requires(!std::same_as<Int, bool> &&
           std::derived_from<Options, Owner>) OptionTable& add(std::string name, Int Owner::*member,
                                                               std::string help, Range range = {}) {
    Value initial = static_cast<std::int64_t>(defaults().*member);
    return bind<std::int64_t>({std::move(name), std::move(help), initial, range},
                              static_cast<Int Options::*>(member));
  }
  template <std::floating_point Real, class Owner>
  requires std::derived_from<Options, Owner> OptionTable& add(std::string name, Real Owner::*member,
                                                              std::string help, Range range = {}) {
    Value initial = static_cast<double>(defaults().*member);
    return bind<double>({std::move(name), std::move(help), initial, range},
                        static_cast<Real Options::*>(member));
  }
  OptionTable& add(std::string name, std::string Options::*member, std::string help,
                   std::vector<std::string> choices = {}) {
    return bind<std::string>(
        {std::move(name), std::move(help), Value(defaults().*member), {}, std::move(choices)},
        member);
  }

  template <class Enum, class Owner>
  requires(std::is_enum_v<Enum>&& std::derived_from<Options, Owner>) OptionTable& add(
      std::string name, Enum Owner::*owned, std::string help, Choices<Enum> choices) {
    const auto member = static_cast<Enum Options::*>(owned);
    fields_.push_back({std::move(name),
                       std::move(help),
                       Value(choice_name(choices, defaults().*member)),
                       {},
                       choice_names(choices)});
    store_.push_back([member, choices](Options& options, const Value& value) {
      const auto choice = choice_named(choices, std::get<std::string>(value));
      if (choice) options.*member = *choice;
    });
    load_.push_back([member, choices](const Options& options) {
      return Value(choice_name(choices, options.*member));
    });
    return *this;
  }

  // Rejects lists of names without enumeration values. Overload resolution chooses it for {"a",
  // "b"}, so that the compiler prints this message instead of an error about a pair of pointers.
  template <class Enum, class Owner>
  requires std::is_enum_v<Enum> OptionTable& add(std::string, Enum Owner::*, std::string,
                                                 std::initializer_list<const char*>) {
    static_assert(!std::is_enum_v<Enum>,
                  "choices of an enumeration have values: {{\"name\", Enum::value}, …}");
    return *this;
  }

  // Declares the tuning range of an option added before; options without one are not tuned.
  OptionTable& search(std::string_view name, std::optional<SearchRange> range) {
    for (Field& field : fields_)
      if (field.name == name) field.search = range;
    return *this;
  }

  const std::vector<Field>& fields() const noexcept { return fields_; }
  Options read(const Settings& settings) const {
    Options options;
    for (std::size_t i = 0; i < fields_.size(); ++i) store_[i](options, settings[fields_[i].name]);
    return options;
  }
  // The inverse of read().
  Settings settings(const Options& options) const {
    std::vector<std::pair<std::string, Value>> values;
    for (std::size_t i = 0; i < fields_.size(); ++i)
      values.emplace_back(fields_[i].name, load_[i](options));
    return Settings::of(std::move(values));
  }

 private:
  static const Options& defaults() {
    static const Options options{};
    return options;
  }
  template <class Stored, class Member>
  OptionTable& bind(Field field, Member Options::*member) {
    fields_.push_back(std::move(field));
    store_.push_back([member](Options& options, const Value& value) {
      options.*member = static_cast<Member>(std::get<Stored>(value));
    });
    load_.push_back(
        [member](const Options& options) { return Value(static_cast<Stored>(options.*member)); });
    return *this;
  }

  std::vector<Field> fields_;
  std::vector<std::function<void(Options&, const Value&)>> store_;
  std::vector<std::function<Value(const Options&)>> load_;
};

}  // namespace podium
