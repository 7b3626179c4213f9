// Trains a finalist on all data, with what the folds chose on their validation parts: the mean
// number of iterations, and the median of each option that a learner chooses by itself. Forests get
// more trees, in proportion to the documents: more data can be fitted for longer.
#pragma once

#include "experiments/automatic/blend_choice.h"

namespace podium {

struct Refitted {
  SavedModel model;
  double scale =
      1;  // estimated for new data: that of the training data times the folds' mean ratio
};

// The options of the refit: the candidate's and those chosen by the folds.
Assignments refit_options(const CandidateTable& candidates, const Judging& judging,
                          const TrainedCells& cells, const Candidate& candidate);

// Thread-seconds that this will take, from those of the folds.
double refit_work(const CandidateTable& candidates, const Judging& judging,
                  const TrainedCells& cells, const Candidate& candidate);

Refitted refit(const CandidateTable& candidates, const Judging& judging, const TrainedCells& cells,
               const Candidate& candidate, const Dataset& train, Context& context);

}  // namespace podium
