// Training one system on one prepared fold, and the search for its options on the validation part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/comparison/prepared_fold.h"
#include "experiments/comparison/systems.h"
#include "experiments/tuning.h"

namespace podium {

// What all trainings of a comparison have in common.
struct TrainingTerms {
  std::vector<MeasurePtr> measures;  // the first chooses
  Convention convention;
  Preparation preparation = {};  // what is not said is as the learner's paper prepares its data
  std::optional<TuningPlan> tuning;
};

struct TrainingRun {
  SavedModel saved;
  TrainingResult result;           // whose model is in `saved`
  std::vector<Iteration> reports;  // what the trainer told its observer
  Assignments found;               // by tuning
  std::vector<Trial> trials;       // empty without tuning
};

TransformOptions preparation_of(const System& system, const TrainingTerms& terms);

// Nothing after a stop request. Throws an Error if training fails.
std::optional<TrainingRun> train_system(const System& system, const TrainingTerms& terms,
                                        const PreparedFold::View& data, Context& context);

}  // namespace podium
