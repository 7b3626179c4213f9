#include "experiments/comparison/systems.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "core/spec.h"
#include "experiments/comparison/combined_systems.h"
#include "experiments/comparison/command_words.h"
#include "podium/error.h"

namespace podium {
namespace {

[[noreturn]] void reject(std::string_view text, std::string_view why) {
  throw Error(ErrorCode::usage, fmt::format("‹learners› '{}': {}", text, why));
}

double parse_pointwise(std::string_view text, std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !(number >= 0) ||
      !(number < 1e300))
    reject(text, fmt::format("pointwise={} is not a number >= 0", value));
  return number;
}

std::int64_t parse_bins(std::string_view text, std::string_view value) {
  std::int64_t bins = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bins);
  if (error != std::errc() || end != value.data() + value.size() || bins < 1 || bins > 65536)
    reject(text, fmt::format("bins={} is not a number from 1 to 65536", value));
  return bins;
}

// "leaves=10,C=0.1,1,10": an item without = continues the previous list.
Assignments parse_options(std::string_view text, std::string_view inner) {
  Assignments given;
  for (const std::string_view item : split_outside_parentheses(inner, ',')) {
    const std::size_t equals = std::min(item.find('='), item.find('('));
    if (equals != item.npos && item[equals] == '=')
      given.emplace_back(trim(item.substr(0, equals)), trim(item.substr(equals + 1)));
    else if (given.empty())
      reject(text, fmt::format("'{}' is not an option: write NAME=VALUE", trim(item)));
    else
      given.back().second.append(",").append(trim(item));
  }
  return given;
}

// The part before a #: "feature#2" is feature(place=2).
void parse_learner(std::string_view text, std::string_view word, System& system) {
  if (word.starts_with("feature:")) {
    system.learner = "feature";
    system.feature = trim(word.substr(8));
    if (system.feature.empty()) reject(text, "which feature? write feature:NAME");
    return;
  }
  if (word.starts_with("scores:")) {
    system.learner = kOutside;
    system.scores = trim(word.substr(7));
    if (system.scores.empty()) reject(text, "which scores? write NAME=scores:FILE");
    return;
  }
  const std::size_t hash = word.find('#');
  system.learner = trim(word.substr(0, hash));
  if (hash == word.npos) return;
  if (system.learner != "feature") reject(text, "#N can only follow feature, as in feature#2");
  system.given.emplace_back("place", trim(word.substr(hash + 1)));
}

std::string file_name_of(const std::string& name) {
  std::string file;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '=' || c == '@' || c == '+';
    if (plain)
      file += c;
    else if (!file.empty() && file.back() != '-')
      file += '-';
  }
  while (file.ends_with('-')) file.pop_back();
  constexpr std::size_t kLongest = 100;
  return file.substr(0, kLongest);
}

System parse_system(std::string_view text);

// The members are systems; folds=… and negative=… are options.
System parse_blend(System system, std::string_view text, std::string_view inner) {
  for (const std::string_view item : split_outside_parentheses(inner, ',')) {
    const std::size_t equals = std::min(item.find('='), item.find('('));
    const std::string_view name = trim(item.substr(0, equals));
    if (equals != item.npos && item[equals] == '=' && is_blend_option(name)) {
      system.given.emplace_back(name, trim(item.substr(equals + 1)));
      continue;
    }
    system.members.push_back(parse_system(trim(item)));
    if (!system.members.back().is_one_learner())
      reject(text, fmt::format("'{}' cannot be a member: it is not one learner", trim(item)));
  }
  require_combination(system);
  return system;
}

System parse_system(std::string_view text) {
  System system;
  system.name = text;
  // The path of a scores file may contain parentheses.
  const std::size_t open = std::min(text.find('('), text.find("scores:"));
  const bool has_options = open != text.npos && text[open] == '(';
  std::string_view word = has_options ? text.substr(0, open) : text;
  if (const std::size_t equals = word.find('='); equals != word.npos) {
    system.name = trim(word.substr(0, equals));
    word = trim(word.substr(equals + 1));
  }
  if (system.name.empty()) reject(text, "a system needs a name");
  parse_learner(text, trim(word), system);
  if (has_options) {
    if (!text.ends_with(')')) reject(text, "the parenthesis is not closed");
    const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
    if (system.learner == "blend") return parse_blend(std::move(system), text, inner);
    for (auto& [name, value] : parse_options(text, inner)) {
      if (system.learner == "auto") {
        system.given.emplace_back(name, value);
        continue;
      }
      if (name == "loss")
        system.loss = value;
      else if (name == "pointwise")
        system.pointwise = parse_pointwise(text, value);
      else if (name == "bins")
        system.preparation.bins = parse_bins(text, value);
      else if (name == "features")
        system.preparation.features = value;
      else if (name == "normalize")
        system.preparation.normalize = parse_normalization(value);
      else if (name == "bin-rule")
        system.preparation.bin_rule = parse_bin_rule(value);
      else if (name == "impute")
        system.preparation.impute = wanted_imputation(value);
      else if (name == "indicators")
        system.preparation.indicators = wanted_indicators(value);
      else if (name == "encode")
        system.preparation.encode = wanted_encoding(value);
      else
        system.given.emplace_back(name, value);
    }
  }
  if (system.learner == "blend") reject(text, "which models? write blend(LEARNER,LEARNER,…)");
  if (system.is_combined()) require_combination(system);
  if (system.is_one_learner()) choose_learner(spec_of(system));
  return system;
}

}  // namespace

std::vector<System> parse_systems(std::string_view list) {
  std::vector<System> systems;
  std::set<std::string> names, files;
  for (const std::string_view item : split_outside_parentheses(list, ',')) {
    System system = parse_system(trim(item));
    if (!names.insert(system.name).second)
      reject(item, "this name occurs twice; write NAME=LEARNER(…) to give a system another name");
    const std::string plain = file_name_of(system.name);
    system.file_name = plain.empty() ? "system" : plain;
    for (int n = 2; !files.insert(system.file_name).second; ++n)
      system.file_name = fmt::format("{}-{}", plain, n);
    systems.push_back(std::move(system));
  }
  return systems;
}

Settings settings_of(const System& system, const Assignments& more) {
  Assignments all = system.given;
  all.insert(all.end(), more.begin(), more.end());
  try {
    return Settings(
        system.is_combined() ? combination_fields(system) : learners().at(system.learner).options(),
        all);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", system.name, error.message()));
  }
}

TrainingSpec spec_of(const System& system, const Assignments& more) {
  settings_of(system, more);  // throws errors that name the system
  TrainingSpec spec{.learner = system.learner, .options = system.given};
  spec.options.insert(spec.options.end(), more.begin(), more.end());
  if (!system.loss.empty()) spec.loss = parse_loss(system.loss);
  spec.pointwise = system.pointwise;
  spec.preparation = system.preparation;
  return spec;
}

Preparation preparation_under(const Preparation& terms, const Preparation& own) {
  Preparation all = own;
  if (!all.normalize) all.normalize = terms.normalize;
  if (all.bins == 0) all.bins = terms.bins;
  if (!all.bin_rule) all.bin_rule = terms.bin_rule;
  if (!all.impute) all.impute = terms.impute;
  if (!all.indicators) all.indicators = terms.indicators;
  if (!all.encode) all.encode = terms.encode;
  return all;
}

std::vector<std::string> training_words(const System& system, const Assignments& more) {
  std::vector<std::string> words = {"podium", "train", system.learner};
  if (!system.loss.empty()) add_option(words, "loss", system.loss);
  if (system.pointwise > 0) add_option(words, "pointwise", fmt::format("{}", system.pointwise));
  const std::string& features =
      system.feature.empty() ? system.preparation.features : system.feature;
  if (!features.empty()) add_option(words, "features", features);
  const auto& fields = learners().at(system.learner).options();
  const auto append = [&](const Assignments& options) {
    for (const auto& [name, value] : options) {
      const auto field =
          std::find_if(fields.begin(), fields.end(),
                       [&wanted = name](const Field& f) { return f.name == wanted; });
      const bool flag = field != fields.end() && std::holds_alternative<bool>(field->initial);
      if (flag)
        add_flag(words, name, value);
      else
        add_option(words, name, value);
    }
  };
  append(system.given);
  append(more);
  return words;
}

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@+%";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace podium
