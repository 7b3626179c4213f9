// Names of measures as users write them:
//   measure   := word [ '(' parameter { ',' parameter } ')' ] [ '@' cut-off ]
//   parameter := name '=' value; quotes and blanks around either are dropped
// The cut-off may also precede the parentheses. Parameters of ir_measures (cutoff, recall, dcg) and
// names of trec_eval (ndcg_cut_10, P.5, …) are accepted.
#include <algorithm>

#include <fmt/format.h>

#include "core/spec.h"
#include "measures/catalog.h"
#include "measures/choices.h"
#include "measures/make_measure.h"
#include "measures/measure_list.h"
#include "measures/trec_names.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

// Translates parameters of ir_measures into Podium's.
Assignments translate(std::string_view text, const Assignments& given) {
  Assignments out;
  for (const auto& [name, value] : given) {
    if (name == "cutoff" || name == "recall") {
      out.emplace_back("k", value);
    } else if (name == "dcg") {  // how ir_measures chooses a gain
      if (value != "log2" && value != "exp-log2")
        throw Error(ErrorCode::usage,
                    fmt::format("measure '{}': dcg must be log2 or exp-log2", text));
      out.emplace_back("gain", value == "log2" ? "linear" : "exp2");
      out.emplace_back("discount", "log2");
    } else {
      out.emplace_back(name, value);
    }
  }
  return out;
}

Spec parse(std::string_view text) {
  Spec spec = parse_spec(text, "measure");
  spec.given = translate(text, spec.given);
  return spec;
}

// The convention's value for a field, or "".
std::string convention_default(const Field& field, const Convention& convention) {
  if (field.name == "gain") return choice_name(gain_choices(), convention.gain);
  if (field.name == "discount") return choice_name(discount_choices(), convention.discount);
  if (field.name == "short") return choice_name(short_list_choices(), convention.short_lists);
  if (field.name == "denominator")
    return choice_name(ap_denominator_choices(), convention.ap_denominator);
  if (field.name == "rel" && field.initial == Value(Convention{}.relevant_from))
    return to_text(Value(convention.relevant_from));
  return {};
}

// The given parameters; the convention decides the rest.
Settings settle(std::string_view text, const Entry<Measure>& entry, const Spec& given,
                const Convention& convention) {
  Spec all{given.name, {}};
  for (const Field& field : entry.options()) {
    const bool said = std::any_of(given.given.begin(), given.given.end(),
                                  [&](const auto& pair) { return pair.first == field.name; });
    const std::string value = said ? "" : convention_default(field, convention);
    if (!value.empty()) all.given.emplace_back(field.name, value);
  }
  all.given.insert(all.given.end(), given.given.begin(), given.given.end());
  return settle_spec(all, text, "measure", entry.options());
}

[[noreturn]] void reject_unknown(std::string_view word) {
  std::vector<std::string> names;
  for (const Entry<Measure>* entry : measures().entries()) names.emplace_back(entry->name);
  throw Error(ErrorCode::usage, fmt::format("unknown measure '{}'{} (`podium measures` lists them)",
                                            word, suggestion(word, names)));
}

// With some settings replaced by these values.
Settings with_values(std::string_view text, const Entry<Measure>& entry, const Settings& settings,
                     const std::vector<std::pair<std::string, Value>>& values) {
  std::vector<std::pair<std::string, Value>> all(settings.values().begin(),
                                                 settings.values().end());
  for (const auto& [name, value] : values) {
    const auto place = std::find_if(all.begin(), all.end(),
                                    [&key = name](const auto& pair) { return pair.first == key; });
    if (place == all.end())
      throw Error(ErrorCode::usage,
                  fmt::format("measure '{}': {} has no parameter '{}'", text, entry.name, name));
    place->second = value;
  }
  return Settings::of(std::move(all));
}

}  // namespace

MeasurePtr parse_measure(std::string_view text, const Convention& convention) {
  return make_measure(text, {}, convention);
}

MeasurePtr make_measure(std::string_view text,
                        const std::vector<std::pair<std::string, Value>>& values,
                        const Convention& convention) {
  const Spec spec = parse(text);
  const Entry<Measure>* entry = find_measure(spec.name);
  if (!entry) {
    const std::string translated = spec.given.empty() ? from_trec_name(spec.name) : "";
    if (translated.empty()) reject_unknown(spec.name);
    return make_measure(translated, values, convention);
  }
  const Settings settings =
      with_values(text, *entry, settle(text, *entry, spec, convention), values);
  try {
    return entry->make(settings);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, fmt::format("measure '{}': {}", text, error.message()));
  }
}

std::vector<MeasurePtr> parse_measures(std::string_view list, const Convention& convention) {
  std::vector<MeasurePtr> parsed;
  for (const std::string_view item : split_measure_list(list))
    parsed.push_back(parse_measure(item, convention));
  return parsed;
}

std::string measure_label(const Measure& measure, const Convention& convention) {
  const std::string name = measure.name();
  const Spec spec = parse(name);
  const Entry<Measure>* entry = find_measure(spec.name);
  if (!entry) return name;
  const Settings settings = settle(name, *entry, spec, Convention{});
  std::vector<Value> defaults;
  for (const Field& field : entry->options()) {
    const std::string said = convention_default(field, convention);
    defaults.push_back(said.empty() ? field.initial : parse_value(field, said));
  }
  return format_spec(entry->name, entry->options(), settings, defaults);
}

}  // namespace podium
