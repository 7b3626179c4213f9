// Combined losses, [Chakrabarti08] section 3.7: in a weighted sum (sum_of_losses, loss.h) each has
// its own slack, in a maximum they share one. Both preserve convexity.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "podium/loss.h"

namespace podium {

using WeightedLoss = std::pair<double, SharedLoss>;

// The terms of a sum as users write it: "A+0.5*B".
std::vector<WeightedLoss> parse_weighted_losses(std::string_view text);

// The largest loss of each query; named "max(A,B)".
SharedLoss maximum_of_losses(std::vector<SharedLoss> parts);

}  // namespace podium
