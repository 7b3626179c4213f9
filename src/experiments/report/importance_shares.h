// How much each feature of the data moves a model's scores, as shares that add up to 1. Forests:
// the gain of their splits; linear models: |weight| times the standard deviation of the input;
// perceptrons: as importance() has it, in units of the deviation. Indicators of a binned feature
// count for the feature.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

using FeatureShares = std::vector<std::pair<std::string, double>>;

// Of features with a share above 0, the largest first. `inputs`: the training data as the model
// sees it.
FeatureShares importance_shares(const SavedModel& saved, const Dataset& inputs);

// Standard deviations of the features over all documents; a missing value counts as 0, as linear
// models have it.
std::vector<double> feature_deviations(const Dataset& data);

// The mean of several; a feature that one of them lacks counts as 0 there.
FeatureShares mean_shares(const std::vector<FeatureShares>& all);

}  // namespace podium
