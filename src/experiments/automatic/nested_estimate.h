// An honest estimate: for each fold, the whole search, the choice of members and the weights are
// repeated without looking at this fold, and the blend is judged on it by models that were trained
// without it. Since training runs are shared, this costs only those that the searches do not have
// in common.
//
// A hidden fold's labels do take part in training the models that are judged on other folds, as in
// any cross-validation; they never judge anything. The final model is trained on all data, and so
// on more than the models judged here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/automatic/blend_choice.h"
#include "podium/significance.h"

namespace podium {

struct NestedEstimate {
  std::size_t folds = 0;   // that were judged
  std::size_t trials = 0;  // of each search
  std::size_t cells = 0;   // trained for it alone
  double seconds = 0;      // of these
  // Per query of these folds.
  std::vector<double> blend, single, boosted, feature;
};

struct EstimatePlan {
  std::size_t trials = 0;
  SearchPlan search = {};
  std::size_t folds = 0;  // at most; all if there is time
  bool simple = false;    // the best single learner is what is judged
};

// Ends early, with fewer folds, on a stop request, when the cells' time is over, and when `go_on`
// (if any) says so before a fold; the first fold is not asked about.
NestedEstimate nested_estimate(const CandidateTable& candidates, const Judging& judging,
                               TrainedCells& cells, const BlendChooser& chooser,
                               const EstimatePlan& plan, const std::function<bool()>& go_on,
                               Context& context);

}  // namespace podium
