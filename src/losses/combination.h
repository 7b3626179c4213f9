// Losses made of losses, [Chakrabarti08] section 3.7: a weighted sum gives each its own slack, a
// maximum makes them share one. Both keep convexity.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "podium/loss.h"

namespace podium {

using Weighted = std::pair<double, std::unique_ptr<const Loss>>;

// Named "A+0.5*B".
std::unique_ptr<const Loss> sum_of_losses(std::vector<Weighted> parts);
// For each query the largest: named "max(A,B)".
std::unique_ptr<const Loss> maximum_of_losses(std::vector<std::unique_ptr<const Loss>> parts);

}  // namespace podium
