// How much each feature of the data affects a model's scores, as fractions that add up to 1.
// Forests: the gain of their splits; linear models: |weight| times the standard deviation of the
// input; perceptrons: as in importance(), in units of the deviation. Indicators of a binned feature
// count for the feature.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "podium/dataset.h"
#include "podium/model.h"

namespace podium {

using FeatureShares = std::vector<std::pair<std::string, double>>;

// Features with a share above 0, largest first. `inputs`: the training data as the model's inputs.
FeatureShares importance_shares(const SavedModel& saved, const Dataset& inputs);

// Standard deviations of the features over all documents; a missing value counts as 0, as in linear
// models.
std::vector<double> feature_deviations(const Dataset& data);

// The mean of several; a feature counts as 0 where it is missing.
FeatureShares mean_shares(const std::vector<FeatureShares>& all);

}  // namespace podium
