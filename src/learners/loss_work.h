// Warns before long work begins.
#pragma once

#include <cstdint>

#include "podium/context.h"
#include "podium/loss.h"

namespace podium {

// Adds a note with the time for this many rounds, each with this many evaluations of the loss, if
// long lists make it more than about a minute, or with the memory if one list needs more than a
// gigabyte.
void note_work(const Loss& loss, const Dataset& data, std::int64_t rounds, Context& context,
               double evaluations = 1);
// The same for cutting planes, whose number of passes is not known in advance.
void note_cutting_planes(const Loss& loss, const Dataset& data, Context& context);

}  // namespace podium
