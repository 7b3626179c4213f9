// Bagging [Breiman96]: several forests, each boosted on its own bootstrap sample of the queries,
// averaged into one forest. The bootstrap is Poisson's: each query counts as often as a Poisson
// variable with mean 1 says, drawn by a hash, so that ranks need not talk about it.
#pragma once

#include <cstdint>
#include <vector>

#include "learners/boosting/boosting.h"

namespace podium {

// How often each query counts in the bootstrap sample of this context's seed.
std::vector<double> bootstrap_counts(const Dataset& data, Context& context);

// options.bag forests. A stop request or the time limit ends it with those that there are.
TrainingResult train_bagged(const TrainingProblem& problem, const Loss& loss,
                            const BoostingOptions& options, Context& context,
                            const TreeWeigher& weigher);

}  // namespace podium
