// Whether a model can be of use, seen on the data that it was trained on.
#pragma once

#include <string>

#include "podium/learner.h"

namespace podium {

// Why a model ranks nothing: it gives all documents of a query the same score, or the data had
// nothing to teach. "" where neither is so. Every rank calls it, and gets the same answer.
std::string why_useless(const Learner& learner, const TrainingProblem& problem,
                        const TrainingResult& result, Context& context);

}  // namespace podium
