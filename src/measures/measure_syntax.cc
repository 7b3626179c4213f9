// Names of measures as users write them:
//   measure   := word [ '(' parameter { ',' parameter } ')' ] [ '@' cut-off ]
//   parameter := name '=' value, quotes and blanks around either are dropped
// also with the cut-off before the parentheses, with ir_measures' parameters (cutoff, recall, dcg),
// and trec_eval's names (ndcg_cut_10, P.5, …).
#include <algorithm>

#include <fmt/format.h>

#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/measure_list.h"
#include "measures/trec_names.h"
#include "podium/evaluator.h"

namespace podium {
namespace {

[[noreturn]] void reject(std::string_view text, std::string_view why) {
  throw Error(ErrorCode::usage, fmt::format("measure '{}': {}", text, why));
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kDropped = " \t\r\n'\"";
  const std::size_t begin = text.find_first_not_of(kDropped);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kDropped) - begin + 1);
}

struct Parsed {
  std::string_view word;
  Assignments given;
};

void add_parameter(std::string_view text, std::string_view parameter, Assignments& given) {
  const std::size_t equals = parameter.find('=');
  if (equals == std::string_view::npos)
    reject(text, fmt::format("'{}' is no parameter, write name=value", trim(parameter)));
  const std::string_view name = trim(parameter.substr(0, equals));
  const std::string_view value = trim(parameter.substr(equals + 1));
  if (name == "cutoff" || name == "recall") {
    given.emplace_back("k", value);
  } else if (name == "dcg") {  // ir_measures' way to choose a gain
    if (value != "log2" && value != "exp-log2") reject(text, "dcg must be log2 or exp-log2");
    given.emplace_back("gain", value == "log2" ? "linear" : "exp2");
    given.emplace_back("discount", "log2");
  } else {
    given.emplace_back(name, value);
  }
}

Parsed split(std::string_view text) {
  Parsed parsed;
  const std::size_t word_end = std::min(text.find_first_of("(@"), text.size());
  parsed.word = trim(text.substr(0, word_end));
  for (std::string_view rest = trim(text.substr(word_end)); !rest.empty();) {
    if (rest.front() == '(') {
      const std::size_t close = rest.find(')');
      if (close == std::string_view::npos) reject(text, "the parenthesis is not closed");
      std::string_view inside = rest.substr(1, close - 1);
      while (!trim(inside).empty()) {
        const std::size_t comma = std::min(inside.find(','), inside.size());
        add_parameter(text, inside.substr(0, comma), parsed.given);
        inside.remove_prefix(std::min(comma + 1, inside.size()));
      }
      rest = trim(rest.substr(close + 1));
    } else if (rest.front() == '@') {
      const std::size_t end = std::min(rest.find('('), rest.size());
      parsed.given.emplace_back("k", trim(rest.substr(1, end - 1)));
      rest = rest.substr(end);
    } else {
      reject(text, fmt::format("'{}' was not expected", rest));
    }
  }
  return parsed;
}

// What the convention says about a field, or "".
std::string convention_default(const Field& field, const Convention& convention) {
  if (field.name == "gain") return convention.gain;
  if (field.name == "discount") return convention.discount;
  if (field.name == "short") return convention.short_lists;
  if (field.name == "denominator") return convention.ap_denominator;
  if (field.name == "rel" && field.initial == Value(Convention{}.relevant_from))
    return to_text(Value(convention.relevant_from));
  return {};
}

const Field& find_field(std::string_view text, const Entry<Measure>& entry,
                        const std::string& name) {
  std::vector<std::string> names;
  for (const Field& field : entry.options()) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  if (name == "k") reject(text, fmt::format("{} has no cut-off", entry.name));
  if (names.empty()) reject(text, fmt::format("{} has no parameters", entry.name));
  reject(text, fmt::format("{} has no parameter '{}'{} (it has {})", entry.name, name,
                           suggestion(name, names), fmt::join(names, ", ")));
}

Settings settle(std::string_view text, const Entry<Measure>& entry, const Assignments& given,
                const Convention& convention) {
  Assignments all;
  for (const Field& field : entry.options()) {
    const bool said = std::any_of(given.begin(), given.end(),
                                  [&](const auto& pair) { return pair.first == field.name; });
    const std::string value = said ? "" : convention_default(field, convention);
    if (!value.empty()) all.emplace_back(field.name, value);
  }
  for (const auto& [name, value] : given) {
    try {
      parse_value(find_field(text, entry, name), value);
    } catch (const Error& error) {
      if (error.message().starts_with("measure ")) throw;
      reject(text, error.message().starts_with("--") ? error.message().substr(2) : error.message());
    }
  }
  all.insert(all.end(), given.begin(), given.end());
  return Settings(entry.options(), all);
}

[[noreturn]] void reject_unknown(std::string_view word) {
  std::vector<std::string> names;
  for (const Entry<Measure>* entry : measures().entries()) names.emplace_back(entry->name);
  throw Error(ErrorCode::usage, fmt::format("unknown measure '{}'{} (`podium measures` lists them)",
                                            word, suggestion(word, names)));
}

}  // namespace

MeasurePtr parse_measure(std::string_view text, const Convention& convention) {
  const Parsed parsed = split(text);
  if (parsed.word.empty()) reject(text, "the name is missing");
  const Entry<Measure>* entry = find_measure(parsed.word);
  if (!entry) {
    const std::string translated = parsed.given.empty() ? from_trec_name(parsed.word) : "";
    if (translated.empty()) reject_unknown(parsed.word);
    return parse_measure(translated, convention);
  }
  const Settings settings = settle(text, *entry, parsed.given, convention);
  try {
    return entry->make(settings);
  } catch (const Error& error) {
    reject(text, error.message());
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
  const Parsed parsed = split(name);
  const Entry<Measure>* entry = find_measure(parsed.word);
  if (!entry) return name;
  const Settings settings = settle(name, *entry, parsed.given, Convention{});
  std::vector<Value> defaults;
  for (const Field& field : entry->options()) {
    const std::string said = convention_default(field, convention);
    defaults.push_back(said.empty() ? field.initial : parse_value(field, said));
  }
  return format_measure_name(entry->name, entry->options(), settings, defaults);
}

}  // namespace podium
