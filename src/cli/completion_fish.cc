// Completion for fish.
#include <fmt/format.h>

#include "cli/completion.h"

namespace podium::cli {
namespace {

constexpr std::string_view kFishHead =
    R"fish(# Completion of podium for fish. Written by podium completion.

# The names in the list behind the last comma of the current word.
function __podium_list
    set -l token (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l before (string match -r -- '^.*,' $token)
    for name in $argv
        echo $before$name
    end
end

complete -c podium -f
complete -c podium -n __fish_use_subcommand -l help -d 'print help'
complete -c podium -n __fish_use_subcommand -l version -d 'print the version'
)fish";

std::string fish_quoted(std::string_view text) {
  const std::string escaped = with_replaced(text, '\\', "\\\\");
  return fmt::format("'{}'", with_replaced(escaped, '\'', "\\'"));
}

// What is offered behind the option; "" where nothing is known.
std::string fish_offer(const Json& option, const Json& interface) {
  const std::string offer = offer_of(option);
  if (offer == "folder") return " -a '(__fish_complete_directories)'";
  if (offer == "file") return " -F";
  const std::string words = offered_words(option, interface);
  if (words.empty()) return {};
  return takes_list(option) ? fmt::format(" -a '(__podium_list {})'", words)
                            : " -a " + fish_quoted(words);
}

std::string fish_line(const std::string& condition, const Json& option, const Json& interface) {
  const std::string start = "complete -c podium -n " + fish_quoted(condition);
  const bool has_value = option.contains("value");
  const std::string offer = has_value ? fish_offer(option, interface) : "";
  if (is_positional(option)) return offer.empty() ? "" : start + offer + "\n";
  std::string names;
  for (const std::string name : option["names"])
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const char* const value = !has_value ? "" : offer == " -F" ? " -r" : " -x";
  return fmt::format("{}{}{}{} -d {}\n", start, names, value, offer,
                     fish_quoted(option["help"].get_ref<const std::string&>()));
}

}  // namespace

std::string fish_completion(const Json& interface) {
  std::string text(kFishHead);
  std::vector<std::string> with_learner;
  for (const Json& command : interface["commands"]) {
    const std::string name = command["name"];
    text += fmt::format("complete -c podium -n __fish_use_subcommand -a {} -d {}\n", name,
                        fish_quoted(command["summary"].get_ref<const std::string&>()));
    if (has_learner(command)) with_learner.push_back(name);
  }
  for (const Json& command : interface["commands"])
    for (const Json& option : command["options"])
      text += fish_line("__fish_seen_subcommand_from " + command["name"].get<std::string>(), option,
                        interface);
  for (const Json& learner : interface["learners"])
    for (const Json& option : learner["options"])
      text += fish_line(fmt::format("__fish_seen_subcommand_from {}; and "
                                    "__fish_seen_subcommand_from {}",
                                    joined(with_learner, " "), learner["name"].get<std::string>()),
                        option, interface);
  return text;
}

}  // namespace podium::cli
