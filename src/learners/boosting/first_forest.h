// The forest before the first round: empty, or the one that training goes on from.
#pragma once

#include "learners/boosting/boosted_loss.h"
#include "learners/boosting/boosting.h"
#include "models/forest/forest.h"

namespace podium {

// Throws a usage Error for options that a loss with several outputs per document cannot have, or
// that the start would break.
void check_start(const TrainingProblem::Start& start, const BoostingOptions& options,
                 const BoostedLoss& loss);

// With a base of zeros if there is no model to start from. Throws a usage Error if that model is
// not a forest with these features and this loss's link.
Forest first_forest(const TrainingProblem::Start& start, const Dataset& train,
                    const BoostedLoss& loss);

}  // namespace podium
