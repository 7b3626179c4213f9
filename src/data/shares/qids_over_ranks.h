// Checks that no query is on two ranks.
#pragma once

#include <string>

#include "podium/communicator.h"
#include "podium/dataset.h"

namespace podium {

// Throws the same Error on every rank, with a qid that two ranks have. `file`: this rank's.
void require_queries_apart(const Dataset& share, const std::string& file, Communicator& comm);

}  // namespace podium
