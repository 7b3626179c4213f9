// Checks that no query is on two ranks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "podium/communicator.h"
#include "podium/dataset.h"

namespace podium {

struct SplitQuery {
  std::string qid;
  std::size_t first, second;  // ranks that have rows of it
};
// A query that two ranks have, the same on every rank. Collective: all ranks must call it.
std::optional<SplitQuery> find_split_query(const Dataset& share, Communicator& comm);

// Throws the same Error on every rank, with a qid that two ranks have. `file`: this rank's.
void require_queries_apart(const Dataset& share, const std::string& file, Communicator& comm);

}  // namespace podium
