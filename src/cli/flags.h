// Options in the library's texts (podium/option_text.h) as command-line flags.
#pragma once

#include <string>
#include <string_view>

namespace podium::cli {

// For OptionSpelling: "--bound ramp".
std::string as_flag(std::string_view name, std::string_view value);

// The text with all options spelled as flags.
std::string with_flags(std::string_view text);

}  // namespace podium::cli
