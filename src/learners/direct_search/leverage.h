// Leveraging [Tan13] section 4: the weights of a forest's trees, searched again. Tree after tree
// moves to the middle of its best interval on the training data, within a range of weights, so that
// no move lowers the measure there.
#pragma once

#include <cstdint>

#include "learners/deadline.h"
#include "line_search/exact_line_search.h"
#include "podium/learner.h"

namespace podium {

struct LeverageOptions {
  MeasurePtr objective;     // the searched one
  std::int64_t passes = 1;  // over all trees, at most
  double max_factor = 2;    // a tree's weight stays between 0 and this many times what it was
  double tolerance = 1e-5;  // passes end when one gains no more
};

// Goes on from result.model, a forest of one output per document, or from where an earlier run of
// this was. With validation data the best of the forests after each move and the one given is kept,
// else the last.
void leverage(TrainingResult& result, const TrainingProblem& problem, const ExactLineSearch& search,
              const LeverageOptions& options, Deadline& deadline, Context& context);

}  // namespace podium
