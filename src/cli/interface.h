// The command-line interface as data: commands, their options, and the names that options accept.
// tools/write_interface.py writes man pages and shell completion from it.
#pragma once

#include "cli/command.h"

namespace podium::cli {

Json interface_json();

}  // namespace podium::cli
