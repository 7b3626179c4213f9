// The option `objective` of learners that optimise a measure itself.
#pragma once

#include <string>

#include "podium/learner.h"

namespace podium {

constexpr const char* kProblemsMeasure = "auto";
constexpr const char* kObjectiveHelp =
    "measure to optimise, e.g. AP or nDCG@5; auto: the one given by ‹measure›";

// The measure with that name, or the one that chooses the model.
inline MeasurePtr objective_measure(const std::string& objective, const TrainingProblem& problem) {
  return objective == kProblemsMeasure ? problem.measure
                                       : parse_measure(objective, problem.convention);
}

}  // namespace podium
