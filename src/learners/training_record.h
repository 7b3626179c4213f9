// What a training leaves behind, in one place for the command line, comparisons and Python.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "data/share_totals.h"
#include "podium/learner.h"

namespace podium {

// The content of a model file, without the values on validation data; the same on every rank.
// `transform` names every feature that was kept; `train`: totals_of the training data. Looks at the
// scores of the training data too, for models that rank nothing (training.useless). Every rank
// calls it.
SavedModel record_of(const std::string& learner, const Settings& settings,
                     const Transform& transform, const TrainingProblem& problem,
                     const ShareTotals& train, const TrainingResult& result, Context& context);
// What to tell users of a model that ranks nothing.
std::string useless_text(const SavedModel& saved);

// The problem's measures on data, by name; `offset` is added to the scores, empty: nothing.
std::map<std::string, double> measured(const TrainingProblem& problem, const Model& model,
                                       const Dataset& data, std::span<const double> offset,
                                       Context& context);

}  // namespace podium
