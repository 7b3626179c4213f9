// Interprets a row's options for one training problem.
#pragma once

#include <memory>
#include <vector>

#include "learners/parametric/scoring_function.h"
#include "learners/parametric/training.h"

namespace podium {

// "32,16"; throws a usage Error if it is not a list of widths.
std::vector<std::size_t> hidden_widths(const ParametricOptions& options);

// The model to train, initialised from the problem's start if it has one. Throws a usage Error if
// that does not fit.
std::unique_ptr<ScoringFunction> make_function(const TrainingProblem& problem, const Loss& loss,
                                               const ParametricOptions& options, Context& context);

// The requested optimizer, or the best one for this loss and model.
Optimizer choose_optimizer(const Loss& loss, const ParametricOptions& options);

// The weight decays to try, descending, so that each solution is a good start for the next. "auto"
// is a prior on the weights that counts as much as a fixed number of queries, however many there
// are. Throws a usage Error for a list without validation data to choose from it.
std::vector<double> decay_path(const TrainingProblem& problem, const ParametricOptions& options,
                               double queries);

}  // namespace podium
