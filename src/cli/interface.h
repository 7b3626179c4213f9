// What the command line offers, as data: commands, their options, and the names that options take.
// Man pages and shell completion are written from it (tools/write_interface.py).
#pragma once

#include "cli/command.h"

namespace podium::cli {

Json interface_json();

}  // namespace podium::cli
