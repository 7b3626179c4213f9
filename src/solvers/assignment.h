// The linear assignment problem: assigns each row a different column so that the total cost is
// minimal. Rows ≤ columns; columns may stay free. Shortest augmenting paths with potentials,
// O(rows² · columns).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "podium/stop.h"

namespace podium {

// cost: rows × columns, row-major, finite. Returns the column of each row.
std::vector<std::uint32_t> assign(std::size_t rows, std::size_t columns,
                                  std::span<const double> cost, StopCheck stop = {});

}  // namespace podium
