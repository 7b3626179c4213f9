// Completion for zsh, by _arguments.
#include <fmt/format.h>

#include "cli/completion.h"

namespace podium::cli {
namespace {

constexpr std::string_view kZshHead = R"zsh(#compdef podium
# Completion of podium for zsh. Written by podium completion.
)zsh";

constexpr std::string_view kZshBody = R"zsh(
_podium() {
  local curcontext=$curcontext state line word
  local -a specs
  _arguments -C '(- *)--help[print help]' '(- *)--version[print the version]' '1:command:_podium_commands' '*::argument:->command' && return
  [[ $state == command ]] || return
  local command=$words[1]
  (( $+functions[_podium_specs_$command] )) || return
  _podium_specs_$command
  if (( $_podium_with_learner[(Ie)$command] )); then
    for word in ${words[2,CURRENT-1]}; do
      (( $+functions[_podium_specs_of_$word] )) && _podium_specs_of_$word && break
    done
  fi
  _arguments -s $specs
}

_podium "$@"
)zsh";

// Text for a quoted _arguments specification.
std::string zsh_escaped(std::string text) {
  for (const char c : std::string_view("\\[]:"))
    text = with_replaced(text, c, std::string("\\") + c);
  return with_replaced(text, '\'', "'\\''");
}

std::string zsh_action(const Json& option, const Json& interface) {
  const std::string offer = offer_of(option);
  if (offer == "folder") return "_files -/";
  if (offer == "file") return "_files";
  const std::string words = offered_words(option, interface);
  if (words.empty()) return {};
  return takes_list(option) ? "_values -s , name " + words : fmt::format("({})", words);
}

// The specifications of one option: one per name.
std::string zsh_specs(const Json& option, const Json& interface) {
  const bool repeats = option["repeats"];
  const std::string action = zsh_action(option, interface);
  if (is_positional(option))
    return fmt::format("    '{}:{}:{}'\n", repeats ? "*" : "1", zsh_escaped(option["names"][0]),
                       action);
  const bool is_flag = !option.contains("value");
  const std::string value = is_flag ? "" : option["value"].get<std::string>();
  const std::string message =
      is_flag ? "" : fmt::format(":{}:{}", zsh_escaped(value.empty() ? "value" : value), action);
  std::string specs;
  for (const std::string name : option["names"])
    specs += fmt::format("    '{}{}{}[{}]{}'\n", repeats ? "*" : "", name,
                         is_flag                  ? ""
                         : name.starts_with("--") ? "="
                                                  : "+",
                         zsh_escaped(option["help"]), message);
  return specs;
}

std::string zsh_function(const std::string& name, const Json& options, const Json& interface) {
  std::string lines;
  for (const Json& option : options) lines += zsh_specs(option, interface);
  return fmt::format("\n{}() {{\n  specs+=(\n{}  )\n}}\n", name, lines);
}

}  // namespace

std::string zsh_completion(const Json& interface) {
  std::string rows;
  std::vector<std::string> with_learner;
  for (const Json& command : interface["commands"]) {
    rows +=
        fmt::format("    '{}:{}'\n", zsh_escaped(command["name"]), zsh_escaped(command["summary"]));
    if (has_learner(command)) with_learner.push_back(command["name"]);
  }
  std::string text(kZshHead);
  text += fmt::format(
      "\n_podium_commands() {{\n  local -a commands=(\n{}  )\n  _describe command commands\n}}\n",
      rows);
  text += fmt::format("\ntypeset -ga _podium_with_learner=({})\n", joined(with_learner, " "));
  for (const Json& command : interface["commands"])
    text += zsh_function("_podium_specs_" + command["name"].get<std::string>(), command["options"],
                         interface);
  for (const Json& learner : interface["learners"])
    text += zsh_function("_podium_specs_of_" + learner["name"].get<std::string>(),
                         learner["options"], interface);
  return text.append(kZshBody);
}

}  // namespace podium::cli
