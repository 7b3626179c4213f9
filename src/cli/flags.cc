#include "cli/flags.h"

#include "podium/option_text.h"

namespace podium::cli {

std::string as_flag(std::string_view name, std::string_view value) {
  return "--" + bare_option(name, value);
}

std::string with_flags(std::string_view text) {
  return spell_options(text, as_flag);
}

}  // namespace podium::cli
