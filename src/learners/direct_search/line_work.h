// Searches along lines through long lists, said before they begin.
#pragma once

#include <cstddef>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/measure.h"

namespace podium {

// About how many seconds one thread takes for one line of one list. The constants are measured on
// one processor of 2020: they tell minutes from seconds, no more.
double line_seconds(const Measure& objective, std::size_t documents);

// Notes what a round of this many lines takes where long lists make that more than about a minute.
void note_line_work(const Measure& objective, const Dataset& data, std::size_t lines,
                    Context& context);

}  // namespace podium
