// Long work, said before it begins.
#pragma once

#include <cstdint>

#include "podium/context.h"
#include "podium/loss.h"

namespace podium {

// Notes what so many evaluations of the loss take where long lists make that more than about a
// minute, or one of them more than a gigabyte.
void note_work(const Loss& loss, const Dataset& data, std::int64_t rounds, Context& context);

}  // namespace podium
