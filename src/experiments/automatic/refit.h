// Trains a finalist on all data, with what the folds chose on their validation parts: the mean
// number of iterations, and the median of each option that a learner chooses by itself. Forests get
// more trees, in proportion to the documents: more data can be fitted for longer.
//
// The estimate does the same without a fold, to judge on it what is trained like the final model.
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

// Trained on all queries outside the split's test part, and judged on that part. Options and
// iterations are what all splits chose but the one that stops early by this part.
TrainedCell refit_split(const CandidateTable& candidates, const Judging& judging,
                        const TrainedCells& cells, const CellAt& where, Context& context);

}  // namespace podium
