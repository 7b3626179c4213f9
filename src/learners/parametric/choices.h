// What a row's options mean for one training problem.
#pragma once

#include <memory>
#include <vector>

#include "learners/parametric/scoring_function.h"
#include "learners/parametric/training.h"

namespace podium {

// "32,16"; usage error when it is no list of widths.
std::vector<std::size_t> hidden_widths(const ParametricOptions& options);

// The model to train, at the problem's start where it has one. Usage error when it does not fit.
std::unique_ptr<ScoringFunction> make_function(const TrainingProblem& problem, const Loss& loss,
                                               const ParametricOptions& options, Context& context);

// The one that is asked for, or the one for this loss and model.
Optimizer choose_optimizer(const Loss& loss, const ParametricOptions& options);

// The weight decays to try, descending, so that each solution is a good start for the next. "auto"
// is a prior on the weights that counts as much as a fixed number of queries, however many there
// are. Usage error for a list without validation data to choose by.
std::vector<double> decay_path(const TrainingProblem& problem, const ParametricOptions& options,
                               double queries);

}  // namespace podium
