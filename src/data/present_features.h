// Wide sparse data, reduced to features that occur: a file with a feature numbered 1,000,000 has a
// million columns, of which documents may use a dozen.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/transform.h"

namespace podium {

// The data without the columns that no document of any rank stores, where those are more than half
// of sparse data's columns; else the data itself. Features keep their names. Ranks with shares of
// the data call it together.
Dataset with_present_features(const Dataset& data, Context& context);

// What training data goes through: the steps, fitted to the features that a model needs inputs for
// (those above, unless the steps choose some), all of them named.
Transform fit_training_transform(const TransformOptions& steps, const Dataset& train,
                                 Context& context);

}  // namespace podium
