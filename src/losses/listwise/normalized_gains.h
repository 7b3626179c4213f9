// Gains of documents as fractions of their query's ideal DCG@k, for smooth versions of nDCG: nDCG@k
// = Σ_i share_i D(rank of i). Documents' weights are not used, as in the measure.
#pragma once

#include <string>
#include <vector>

#include "measures/gain.h"
#include "podium/dataset.h"

namespace podium {

// One per document; all 0 in a query without gain. k = 0: no cut-off.
std::vector<double> normalized_gains(const Dataset& data, const Gain& gain,
                                     const Discount& discount, std::size_t k);

}  // namespace podium
