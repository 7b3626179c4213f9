// Completion for bash. Works with and without the package bash-completion.
#include <algorithm>

#include <fmt/format.h>

#include "cli/completion.h"

namespace podium::cli {
namespace {

constexpr std::string_view kBashBody = R"bash(
# Offers the words, or what the kind in $1 stands for, that begin with $2.
_podium_offer() {
  local kind=$1 begun=$2 before="" IFS=$' \t\n'
  case $kind in
    file|folder)
      compopt -o filenames 2>/dev/null
      [[ $kind == file ]] && kind=-f || kind=-d
      mapfile -t COMPREPLY < <(compgen "$kind" -- "$begun") ;;
    list:*)  # behind the last comma
      [[ $begun == *,* ]] && before=${begun%,*}, && begun=${begun##*,}
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -P "$before" -W "${kind#list:}" -- "$begun")) ;;
    words:*) COMPREPLY=($(compgen -W "${kind#words:}" -- "$begun")) ;;
  esac
}

# The learner among the words, for commands whose options depend on it.
_podium_learner() {
  local word
  for word in "$@"; do
    _podium_learner_options "$word" && REPLY=$word && return
  done
  return 1
}

_podium() {
  # Words as podium sees them: bash also cuts at = and :, and readline replaces what stands behind these.
  local line=${COMP_LINE:0:COMP_POINT} words REPLY options="" learner="" IFS=$' \t\n'
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local last=$((${#words[@]} - 1)) current=${words[-1]} previous="" command=${words[1]-}
  COMPREPLY=()
  if ((last < 2)); then
    COMPREPLY=($(compgen -W "$_podium_commands --help --version" -- "$current"))
    return
  fi
  _podium_options "$command" && options=$REPLY
  if _podium_has_learner "$command" && _podium_learner "${words[@]:2:last-2}"; then
    learner=$REPLY
    _podium_learner_options "$learner" && options+=" $REPLY"
  fi
  previous=${words[last-1]}
  if [[ $current == --*=* ]]; then
    previous=${current%%=*} current=${current#*=}
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  REPLY=""
  if [[ $previous == -* ]] && { _podium_value "$command $previous" || _podium_value "$learner $previous"; }; then
    :
  elif [[ -n $learner ]] || ! _podium_value "$command"; then
    return
  fi
  _podium_offer "$REPLY" "$current"
  # readline replaces only what stands behind the last = or : of the word; a @ belongs to what it replaces.
  local kept=${current%"${current##*[=:]}"}
  [[ $current == *@* ]] && kept=${current%@*}
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -F _podium podium
)bash";

// What _podium_offer is told for the option's value.
std::string bash_kind(const Json& option, const Json& interface) {
  const std::string offer = offer_of(option);
  if (offer == "file" || offer == "folder") return offer;
  const std::string words = offered_words(option, interface);
  if (words.empty()) return "none";
  return (takes_list(option) ? "list:" : "words:") + words;
}

std::string bash_option_names(const Json& options) {
  std::vector<std::string> names;
  for (const Json& option : options)
    if (!is_positional(option))
      for (const std::string name : option["names"]) names.push_back(name);
  return joined(names, " ");
}

using BashRows = std::vector<std::pair<std::string, std::string>>;

// A shell function that answers in REPLY: patterns and texts.
std::string bash_function(std::string_view name, const BashRows& rows) {
  std::string cases;
  for (const auto& [pattern, text] : rows)
    cases += fmt::format("    {}) REPLY={} ;;\n", pattern, text);
  return fmt::format("\n{}() {{\n  case $1 in\n{}    *) return 1 ;;\n  esac\n}}\n", name, cases);
}

BashRows option_rows(const Json& owners) {
  BashRows rows;
  for (const Json& owner : owners)
    rows.emplace_back(owner["name"], fmt::format("\"{}\"", bash_option_names(owner["options"])));
  return rows;
}

// Patterns `command --option`, `learner --option` and, for positional arguments, `command`, by
// what is offered for them.
BashRows value_rows(const Json& interface) {
  BashRows rows;
  for (const char* owners : {"commands", "learners"})
    for (const Json& owner : interface[owners])
      for (const Json& option : owner["options"]) {
        if (!option.contains("value")) continue;
        const std::string text = fmt::format("'{}'", bash_kind(option, interface));
        auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const auto& one) { return one.second == text; });
        if (row == rows.end()) row = rows.insert(rows.end(), {"", text});
        const std::string name = owner["name"];
        std::vector<std::string> patterns;
        if (is_positional(option))
          patterns.push_back(fmt::format("'{}'", name));
        else
          for (const std::string flag : option["names"])
            patterns.push_back(fmt::format("'{} {}'", name, flag));
        row->first += (row->first.empty() ? "" : "|") + joined(patterns, "|");
      }
  return rows;
}

}  // namespace

std::string bash_completion(const Json& interface) {
  std::vector<std::string> commands, with_learner;
  for (const Json& command : interface["commands"]) {
    commands.push_back(command["name"]);
    if (has_learner(command)) with_learner.push_back(command["name"]);
  }
  std::string text = "# Completion of podium for bash. Written by podium completion.\n";
  text += fmt::format("_podium_commands=\"{}\"\n", joined(commands, " "));
  text += bash_function("_podium_options", option_rows(interface["commands"]));
  text += bash_function("_podium_learner_options", option_rows(interface["learners"]));
  text += bash_function("_podium_has_learner", {{joined(with_learner, "|"), "yes"}});
  text += bash_function("_podium_value", value_rows(interface));
  return text.append(kBashBody);
}

}  // namespace podium::cli
