// Checks on the training data whether a model is of any use.
#pragma once

#include <string>

#include "podium/learner.h"

namespace podium {

// Why a model ranks nothing: it gives all documents of a query the same score, or the data had
// nothing to learn from. "" if neither is the case. Collective: every rank must call it, and gets
// the same answer.
std::string why_useless(const Learner& learner, const TrainingProblem& problem,
                        const TrainingResult& result, Context& context);

}  // namespace podium
