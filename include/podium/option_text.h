// How the library speaks of options. Its texts (errors, notes, help) reach people who give options
// in different ways, so they name one in angle quotes, "try a smaller ‹learning-rate›", with a
// value where one is meant, "‹bound ramp›". A front end spells them: --bound ramp, or bound="ramp".
#pragma once

#include <string>
#include <string_view>

namespace podium {

// An option in a text of the library.
std::string option(std::string_view name);
std::string option(std::string_view name, std::string_view value);

// How a front end writes an option; the value is empty where the text has none.
using OptionSpelling = std::string (*)(std::string_view name, std::string_view value);

// The text with every option spelled.
std::string spell_options(std::string_view text, OptionSpelling spelling);

// The name and the value as they are: for parameters of HTTP requests, and for C and C++.
std::string bare_option(std::string_view name, std::string_view value);

// The option that a text begins with, as errors about an option's value do; "" where it does not.
std::string leading_option(std::string_view text);

}  // namespace podium
