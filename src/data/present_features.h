// Reduces wide sparse data to the features that occur: a file with a feature numbered 1,000,000 has
// a million columns, of which documents may use a dozen.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/transform.h"

namespace podium {

// The data without the columns that no document of any rank stores, if those are more than half of
// the columns of sparse data; else the data itself. Features keep their names. Collective: all
// ranks must call it, each with its part of the data.
Dataset with_present_features(const Dataset& data, Context& context);

// The transform of training data: the steps, fitted to the features that the model needs as inputs
// (those above, unless the steps select some), all of them named.
Transform fit_training_transform(const TransformOptions& steps, const Dataset& train,
                                 Context& context);

}  // namespace podium
