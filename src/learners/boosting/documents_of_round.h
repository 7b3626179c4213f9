// The documents that a round of boosting learns from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "learners/boosting/boosted_loss.h"
#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// Those of the queries that count, of which a share is drawn by a hash of their content. None: all
// there are.
std::optional<std::vector<std::uint32_t>> documents_of_round(const Dataset& data,
                                                             const BoostedLoss& loss,
                                                             double query_fraction,
                                                             std::int64_t round,
                                                             const Context& context);

}  // namespace podium
