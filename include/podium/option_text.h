// How the library's texts (errors, notes, help) name options. Users give options in different ways,
// so the texts have them in angle quotes, "try a smaller ‹learning-rate›", with a value if there is
// one, "‹bound ramp›". Front ends spell them: --bound ramp, or bound="ramp".
#pragma once

#include <string>
#include <string_view>

namespace podium {

// An option's name in angle quotes.
std::string option(std::string_view name);
std::string option(std::string_view name, std::string_view value);

// How a front end spells an option; the value is empty if the text has none.
using OptionSpelling = std::string (*)(std::string_view name, std::string_view value);

// The text with every option spelled by the front end.
std::string spell_options(std::string_view text, OptionSpelling spelling);

// Name and value unchanged: for parameters of HTTP requests, and for C and C++.
std::string bare_option(std::string_view name, std::string_view value);

// The option that a text begins with, as errors about an option's value do; "" if there is none.
std::string leading_option(std::string_view text);

}  // namespace podium
