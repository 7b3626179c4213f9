// How much a measure falls when one feature's values are shuffled among the documents of each
// query: what the model would lose without it. Features are shuffled within queries, so that what
// they say about queries as such, which changes no ranking, counts for nothing.
#pragma once

#include <vector>

#include "podium/evaluator.h"
#include "podium/model.h"

namespace podium {

// One figure per feature: the measure as it is minus its mean over `repeats` shuffles (by the
// context's seed). Features that no tree splits on, or whose weight is 0, are 0 without a try.
std::vector<double> permutation_importance(const Model& model, const Dataset& data,
                                           const MeasurePtr& measure, const Convention& convention,
                                           int repeats, Context& context);

}  // namespace podium
