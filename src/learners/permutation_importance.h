// How much a measure falls when one feature's values are shuffled among the documents of each
// query: what the model would lose without the feature. Features are shuffled within queries, so
// that information about whole queries, which changes no ranking, does not count.
#pragma once

#include <vector>

#include "podium/evaluator.h"
#include "podium/model.h"

namespace podium {

// One number per feature: the measure minus its mean over `repeats` shuffles (by the context's
// seed). Features that no tree splits on, or whose weight is 0, get 0 without shuffling.
std::vector<double> permutation_importance(const Model& model, const Dataset& data,
                                           const MeasurePtr& measure, const Convention& convention,
                                           int repeats, Context& context);

}  // namespace podium
