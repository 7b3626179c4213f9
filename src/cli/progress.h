// Progress on standard error: a bar on a terminal, a line every few seconds otherwise, JSON lines
// on request, nothing with --quiet. Notes are separate lines.
#pragma once

#include <memory>

#include "podium/context.h"

namespace podium::cli {

enum class ProgressStyle { quiet, lines, bar, json };

std::unique_ptr<Observer> make_progress(ProgressStyle style);

}  // namespace podium::cli
