// Whether labels mean something to what is trained: said before training begins.
#pragma once

#include "podium/training.h"

namespace podium {

// Error where the loss counts 2^label − 1 and a label is not a grade: it would learn little but
// each query's highest label. All ranks must call it.
void require_grades(const ChosenLearner& learner, const Dataset& train, Communicator& comm);

// Notes about labels that fit the loss or the measures less well. All ranks must call it.
void note_training_labels(const ChosenLearner& learner, std::span<const MeasurePtr> measures,
                          const Dataset& train, Context& context);

// Why no query contributes to the loss, for an error: "no query contributes to the loss L: each has
// documents of one grade, or no label above 0". All ranks must call it.
std::string why_no_query(const Dataset& data, const Loss& loss, Communicator& comm);

}  // namespace podium
