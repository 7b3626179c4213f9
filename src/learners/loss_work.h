// Long work, said before it begins.
#pragma once

#include <cstdint>

#include "podium/context.h"
#include "podium/loss.h"

namespace podium {

// Notes what this many rounds take, each with this many evaluations of the loss, if long lists make
// that more than about a minute, or one of them more than a gigabyte.
void note_work(const Loss& loss, const Dataset& data, std::int64_t rounds, Context& context,
               double evaluations = 1);
// The same for cutting planes, whose number of passes is not known in advance.
void note_cutting_planes(const Loss& loss, const Dataset& data, Context& context);

}  // namespace podium
