// The saved model and other results of a training run.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "podium/training.h"

namespace podium {

// The content of a model file, without the measures on validation data; the same on every rank.
// `transform` names every feature that was kept. Also checks the scores of the training data, for
// models that rank nothing (training.useless). Collective: every rank must call it.
SavedModel make_saved_model(const ChosenLearner& learner, const Transform& transform,
                            const TrainingProblem& problem, const TrainingResult& result,
                            Context& context);
// The message for users about a model that ranks nothing.
std::string useless_text(const SavedModel& saved);

// The problem's measures on data, by name; `offset` is added to the scores (empty: nothing).
std::map<std::string, double> measured(const TrainingProblem& problem, const Model& model,
                                       const Dataset& data, std::span<const double> offset,
                                       Context& context);
// Empty if a stop request arrives inside a list: the model matters more.
std::map<std::string, double> measured_unless_stopped(const TrainingProblem& problem,
                                                      const Model& model, const Dataset& data,
                                                      std::span<const double> offset,
                                                      Context& context);

}  // namespace podium
