// Completion for shells, from what the command line says of itself (interface.h).
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace podium::cli {

std::string bash_completion(const Json& interface);
std::string zsh_completion(const Json& interface);
std::string fish_completion(const Json& interface);

// Questions about one option of interface_json().
bool is_positional(const Json& option);
// Whether names may follow each other behind commas.
bool takes_list(const Json& option);
// What the shell can offer: "file", "folder", or another kind of name; "" where it knows nothing.
std::string offer_of(const Json& option);
// The names that can be offered for the option's value, separated by blanks; "" for files.
std::string offered_words(const Json& option, const Json& interface);
// Whether the command's options depend on the learner that is named first.
bool has_learner(const Json& command);

// The texts between two others.
std::string joined(const std::vector<std::string>& texts, std::string_view between);
// The text with each occurrence of a character replaced.
std::string with_replaced(std::string_view text, char character, std::string_view by);

}  // namespace podium::cli
