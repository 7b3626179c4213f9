// Where direct search starts: at the model to go on from, at other learners' linear models, and at
// random points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/direct_search/feature_columns.h"
#include "podium/learner.h"

namespace podium {

struct StartOptions {
  std::int64_t restarts = 20;     // random points
  std::string learners = "auto";  // "linear,ranksvm(C=100)"; empty: none
};

// Weights of the columns, of largest size 1. `problem` is the one the learners solve; where their
// loss finds nothing to learn from, the observer is told and the start is left out.
std::vector<std::vector<double>> find_starts(const TrainingProblem& problem,
                                             const StartOptions& options,
                                             const FeatureColumns& columns, Context& context);

// A point near to these weights, the same for the same seed and number.
std::vector<double> kick(std::span<const double> weights, const FeatureColumns& columns,
                         std::uint64_t seed, std::int64_t number);

}  // namespace podium
