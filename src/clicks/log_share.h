// Click logs under several ranks: every rank reads the whole log, which is small beside the
// features, and matches it with the ids of the documents of all ranks. So all ranks have the same
// counts, and estimates from them have the same bits. Each then keeps what concerns its own
// queries.
#pragma once

#include <cstdint>
#include <vector>

#include "podium/click_log.h"
#include "podium/communicator.h"

namespace podium {

// The documents of a log whose rows are first, first + 1, …; rows count from there. Totals and the
// number of positions are those of the whole log.
struct LogShare {
  ClickLog log;
  std::vector<std::uint32_t> documents;  // in the whole log
};
LogShare share_of(const ClickLog& log, std::size_t first, std::size_t rows);

// The documents of the ranks before this one.
std::size_t rows_before(const Dataset& data, Communicator& comm);

}  // namespace podium
