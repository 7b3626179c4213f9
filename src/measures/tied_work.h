// Measures that take longer than sorting where scores tie (IPrec, IPrec11), said before they are
// computed.
#pragma once

#include <span>

#include "podium/evaluator.h"

namespace podium {

// About how many seconds one thread takes over the ties of a list; 0 for most measures. The
// constant is measured on one processor of 2020: it tells minutes from seconds, no more.
double tied_seconds(const Measure& measure, const TieGroups& ties);

// Notes what takes more than about a minute when these scores are evaluated.
void note_tied_work(const Evaluator& evaluator, const Dataset& data, std::span<const double> scores,
                    Context& context);
void note_tied_work(const Evaluator& evaluator, const QueryLists& lists, Context& context);

// Whether a note is possible at all: some measure is slow on ties, and ties are averaged over.
bool ties_may_take_long(const Evaluator& evaluator);

}  // namespace podium
