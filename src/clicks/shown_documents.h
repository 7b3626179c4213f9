// The part of the data that a log says something about.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/click_log.h"

namespace podium {

// The documents of the data that the log shows, with these labels and weights (none: without),
// given by document of the log. Every document has its id in the log.
Dataset shown_documents(const Dataset& data, const ClickLog& log, std::span<const double> labels,
                        std::span<const double> weights);
// The number of each document of the log among those of the shown data.
std::vector<std::uint32_t> numbers_among_shown(const ClickLog& log);

}  // namespace podium
