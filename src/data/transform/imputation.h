// What missing numbers become; see transform.h for the rules.
#pragma once

#include <span>
#include <vector>

#include "podium/transform.h"

namespace podium {

// Replaces the missing values of one feature over one query's documents.
void impute_column(Imputation rule, float fill, std::span<float> column);

// The fill of every feature of data that was scaled already; 0 for categories, and for features
// without any value. All ranks must call it.
std::vector<float> fit_fills(Imputation rule, const Dataset& data, Context& context);

// The lower median of every feature over the data of all ranks; 0 for a feature without values
// (implemented in quantile_thresholds.cc).
std::vector<float> medians(const Dataset& data, Context& context);

}  // namespace podium
