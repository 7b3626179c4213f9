// Warns before computing measures that take longer than sorting if scores tie (IPrec, IPrec11).
#pragma once

#include <span>

#include "podium/evaluator.h"

namespace podium {

// Approximate time in seconds that one thread needs for the ties of a list; 0 for most measures.
// The constant was measured on one processor from 2020: it distinguishes minutes from seconds, no
// more.
double tied_seconds(const Measure& measure, const TieGroups& ties);

// Adds a note if evaluating these scores takes more than about a minute.
void note_tied_work(const Evaluator& evaluator, const Dataset& data, std::span<const double> scores,
                    Context& context);
void note_tied_work(const Evaluator& evaluator, const QueryLists& lists, Context& context);

// Whether a note is possible: some measure is slow with ties, and the convention averages over
// ties.
bool ties_may_take_long(const Evaluator& evaluator);

}  // namespace podium
