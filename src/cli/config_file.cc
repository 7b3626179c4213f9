#include "cli/config_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/unpack.h"
#include "podium/option_text.h"

namespace podium::cli {
namespace {

constexpr std::string_view kConfigOption = "--config";

// What the user gives on the command line: `--name`, `--name=value`, `-o`, `-oFILE`.
bool is_given(const CLI::Option& option, const std::vector<std::string>& arguments) {
  const auto says = [&](const std::string& argument) {
    for (const std::string& name : option.get_lnames())
      if (argument == "--" + name || argument.starts_with("--" + name + "=")) return true;
    const auto& letters = option.get_snames();
    return !argument.starts_with("--") &&
           std::any_of(letters.begin(), letters.end(), [&](const std::string& letter) {
             return argument.starts_with("-" + letter);
           });
  };
  return std::any_of(arguments.begin(), arguments.end(), says);
}

// The file that the arguments name, which are taken out; "" where they name none.
std::string take_path(std::vector<std::string>& arguments) {
  std::string path;
  for (std::size_t i = 1; i < arguments.size();) {
    const bool joined = arguments[i].starts_with(std::string(kConfigOption) + "=");
    if (!joined && arguments[i] != kConfigOption) {
      ++i;
      continue;
    }
    if (!joined && i + 1 == arguments.size())
      throw Error(ErrorCode::usage, "--config needs a file");
    if (!path.empty()) throw Error(ErrorCode::usage, "--config is given twice");
    path = joined ? arguments[i].substr(kConfigOption.size() + 1) : arguments[i + 1];
    if (path.empty()) throw Error(ErrorCode::usage, "--config needs a file");
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(at, at + (joined ? 1 : 2));
  }
  return path;
}

// Settings that concern the command, each key once. A section without a command is an error.
std::vector<ConfigSetting> settings_of_command(std::vector<ConfigSetting> all,
                                               const std::string& command) {
  std::vector<std::string> known;
  for (const Command& one : commands()) known.emplace_back(one.name);
  std::vector<ConfigSetting> chosen;
  for (ConfigSetting& setting : all) {
    if (!setting.section.empty() &&
        std::find(known.begin(), known.end(), setting.section) == known.end())
      throw Error(ErrorCode::usage,
                  fmt::format("section '{}' is not named after a command{}", setting.section,
                              suggestion(setting.section, known)),
                  setting.place);
    if (setting.key == "config")
      throw Error(ErrorCode::usage, "a configuration file cannot name another one", setting.place);
    if (!setting.section.empty() && setting.section != command) continue;
    const auto before = std::find_if(chosen.begin(), chosen.end(), [&](const ConfigSetting& one) {
      return one.key == setting.key;
    });
    if (before == chosen.end())
      chosen.push_back(std::move(setting));
    else if (before->section.empty() && !setting.section.empty())
      *before = std::move(setting);
    else if (before->section == setting.section)
      throw Error(ErrorCode::usage,
                  fmt::format("'{}' is already set in line {}", setting.key, before->place.line),
                  setting.place);
  }
  return chosen;
}

std::vector<std::string> option_names_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

}  // namespace

Configuration::Configuration(std::vector<std::string>& arguments) {
  if (arguments.empty()) return;
  const std::string path = take_path(arguments);
  if (path.empty()) return;
  constexpr std::int64_t kMaxConfigBytes = 1 << 20;
  settings_ =
      settings_of_command(parse_config(read_file(path, kMaxConfigBytes), path), arguments[0]);
  const ConfigSetting* const learner = find("learner");
  if (learner && (arguments[0] == "train" || arguments[0] == "tune") &&
      learner_named(arguments).empty())
    arguments.insert(arguments.begin() + 1, learner->values.front());
}

const ConfigSetting* Configuration::find(const std::string& key) const {
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const ConfigSetting& one) { return one.key == key; });
  return found == settings_.end() ? nullptr : &*found;
}

std::vector<std::string> Configuration::arguments_for(const CLI::App& command,
                                                      const std::vector<std::string>& given) const {
  std::vector<std::string> arguments;
  for (const ConfigSetting& setting : settings_) {
    if (setting.key == "learner" && command.get_option_no_throw("LEARNER")) continue;
    const CLI::Option* const option = command.get_option_no_throw("--" + setting.key);
    if (!option) {
      const std::vector<std::string> names = option_names_of(command);
      throw Error(ErrorCode::usage,
                  fmt::format("podium {} has no option '{}'{}", command.get_name(), setting.key,
                              suggestion(setting.key, names)),
                  setting.place);
    }
    if (is_given(*option, given)) continue;
    if (option->get_items_expected_max() > 1)
      for (const std::string& value : setting.values)
        arguments.push_back("--" + setting.key + "=" + value);
    else
      arguments.push_back(fmt::format("--{}={}", setting.key, fmt::join(setting.values, ",")));
  }
  return arguments;
}

const ConfigSetting* Configuration::setting_of(const Error& error) const {
  if (!error.where().file.empty()) return nullptr;
  if (const std::string option = error.option(); !option.empty()) return find(option);
  const std::string& text = error.message();  // the command line's own errors begin with the flag
  for (const ConfigSetting& setting : settings_)
    if (text.starts_with("--" + setting.key + ":") || text.starts_with("--" + setting.key + " "))
      return &setting;
  return nullptr;
}

bool Configuration::sets_option_of(const Error& error) const {
  return setting_of(error) != nullptr;
}

Error Configuration::located(const Error& error) const {
  return {error.code(), error.message(), setting_of(error)->place};
}

}  // namespace podium::cli
