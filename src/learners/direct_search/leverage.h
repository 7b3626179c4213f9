// Leveraging [Tan13] section 4: searches the weights of a forest's trees again. One tree after
// another moves to the middle of its best interval on the training data, within a range of weights,
// so that no move lowers the measure there.
#pragma once

#include <cstdint>

#include "learners/deadline.h"
#include "line_search/exact_line_search.h"
#include "podium/learner.h"

namespace podium {

struct LeverageOptions {
  MeasurePtr objective;     // the measure that is searched
  std::int64_t passes = 1;  // maximum, over all trees
  double max_factor = 2;    // a tree's weight stays between 0 and this multiple of its original
  double tolerance = 1e-5;  // stops when a pass gains no more
};

// Continues from result.model, a forest with one output per document, or from the state of an
// earlier run. With validation data the best of the given forest and the forests after each move is
// kept, else the last.
void leverage(TrainingResult& result, const TrainingProblem& problem, const ExactLineSearch& search,
              const LeverageOptions& options, Deadline& deadline, Context& context);

}  // namespace podium
