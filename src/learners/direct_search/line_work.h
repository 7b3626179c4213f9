// Warns before line searches through long lists begin.
#pragma once

#include <cstddef>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/measure.h"

namespace podium {

// Approximate seconds that one thread needs for one line of one list. The constants were measured
// on one processor from 2020: they distinguish minutes from seconds, no more.
double line_seconds(const Measure& objective, std::size_t documents);

// Adds a note with the time of a round of this many lines if long lists make it more than about a
// minute.
void note_line_work(const Measure& objective, const Dataset& data, std::size_t lines,
                    Context& context);

}  // namespace podium
