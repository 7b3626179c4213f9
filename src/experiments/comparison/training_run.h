// Trains one system on one prepared fold, and tunes its options on the validation part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/comparison/prepared_fold.h"
#include "experiments/comparison/systems.h"
#include "experiments/tuning.h"

namespace podium {

// What all training runs of a comparison have in common.
struct TrainingTerms {
  std::vector<MeasurePtr> measures;  // the first is used to choose
  Convention convention;
  Preparation preparation = {};  // defaults: the preparation of the learner's paper
  std::optional<TuningPlan> tuning;
};

struct TrainingRun {
  SavedModel saved;
  TrainingResult result;           // its model is in `saved`
  std::vector<Iteration> reports;  // the trainer's events
  Assignments found;               // by tuning
  std::vector<Trial> trials;       // empty without tuning
};

TransformOptions preparation_of(const System& system, const TrainingTerms& terms);

// nullopt after a stop request. Throws an Error if training fails.
std::optional<TrainingRun> train_system(const System& system, const TrainingTerms& terms,
                                        const PreparedFold::View& data, Context& context);

}  // namespace podium
