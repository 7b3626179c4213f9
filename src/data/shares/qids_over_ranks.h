// Ranks hold different queries.
#pragma once

#include <string>

#include "podium/communicator.h"
#include "podium/dataset.h"

namespace podium {

// Throws an Error, the same on every rank, that names a qid which two ranks have. `file`: this
// rank's.
void require_queries_apart(const Dataset& share, const std::string& file, Communicator& comm);

}  // namespace podium
