// What a training leaves behind.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "podium/training.h"

namespace podium {

// The content of a model file, without the values on validation data; the same on every rank.
// `transform` names every feature that was kept. Looks at the scores of the training data too, for
// models that rank nothing (training.useless). Every rank calls it.
SavedModel make_saved_model(const ChosenLearner& learner, const Transform& transform,
                            const TrainingProblem& problem, const TrainingResult& result,
                            Context& context);
// What to tell users of a model that ranks nothing.
std::string useless_text(const SavedModel& saved);

// The problem's measures on data, by name; `offset` is added to the scores, empty: nothing.
std::map<std::string, double> measured(const TrainingProblem& problem, const Model& model,
                                       const Dataset& data, std::span<const double> offset,
                                       Context& context);
// Without a figure where a stop request comes inside a list: the model is what matters then.
std::map<std::string, double> measured_unless_stopped(const TrainingProblem& problem,
                                                      const Model& model, const Dataset& data,
                                                      std::span<const double> offset,
                                                      Context& context);

}  // namespace podium
