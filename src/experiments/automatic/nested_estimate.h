// An honest estimate: for each fold, the whole search, the choice of members and the weights are
// repeated without looking at this fold, and the blend is judged on it by models that were trained
// without it. Since training runs are shared, this costs only those that the searches do not have
// in common.
//
// A hidden fold's labels do take part in training the models that are judged on other folds, as in
// any cross-validation; they never judge anything.
//
// These models saw k − 2 of k folds (one more decided when to stop); the final one sees all. On
// small data that is a difference of many standard errors, so where it can be paid for, members
// are also trained as the final ones are, on k − 1 folds, and a query's value is extrapolated along
// both. Measures of rankers rise about as a − b / queries [Viering23], so
//   value(k) = value(k − 1) + c (value(k − 1) − value(k − 2)),  c = (k − 2) / k,
// which is linear in the values of each query: intervals and tests stay those of a mean over
// queries, and have the noise of the difference in them.
//
// The queries of a fold share their models, and so the luck of these. Intervals treat folds as
// random effects: the variance of the mean is that of the queries, or that between the folds'
// means if it is larger.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/automatic/blend_choice.h"
#include "podium/significance.h"

namespace podium {

// One value per query of the judged folds.
struct QueryValues {
  std::vector<double> blend, single, boosted, feature;
};

struct NestedEstimate : QueryValues {
  std::size_t folds = 0;                  // that were judged
  std::vector<std::size_t> queries = {};  // of each of them
  std::size_t trials = 0;                 // of each search
  std::size_t cells = 0;                  // trained for it alone
  double seconds = 0;                     // of these
  double refit_work = 0;  // thread-seconds of training members as the final ones are
  // If values are extrapolated: the blend's on k − 2 and k − 1 folds.
  std::vector<double> smaller, larger;
};

// √ of the mean square between the folds' means, by the variance of all values; at least 1. NaN
// does not count.
double spread_of_folds(const std::vector<double>& values, const std::vector<std::size_t>& queries);

struct EstimatePlan {
  std::size_t trials = 0;
  SearchPlan search = {};
  std::size_t folds = 0;  // at most; all if there is time
  bool simple = false;    // the best single learner is what is judged
  bool refits = false;    // extrapolated; only where each fold has a split of its own
};

// Ends early, with fewer folds, on a stop request, when the cells' time is over, and when `go_on`
// (if any) says so before a fold; the first fold is not asked about. If the members of a judged
// fold could not be trained again, nothing is extrapolated.
NestedEstimate nested_estimate(const CandidateTable& candidates, const Judging& judging,
                               TrainedCells& cells, const BlendChooser& chooser,
                               const EstimatePlan& plan, const std::function<bool()>& go_on,
                               Context& context);

}  // namespace podium
