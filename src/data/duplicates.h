// Exactly equal columns of a data set, and exactly equal rows of a query. Found by hashing, then
// compared value by value. Missing equals missing, and 0 equals −0.
#pragma once

#include <utility>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"

namespace podium {

// (feature, earlier equal feature) among the features with consider[f] ≠ 0, ascending.
std::vector<std::pair<std::size_t, std::size_t>> equal_columns(const Dataset& data,
                                                               const std::vector<char>& consider,
                                                               Context& context);

struct DuplicateRows {
  std::size_t duplicates = 0;   // documents that have an equal one in the query
  std::size_t conflicting = 0;  // of those: in a group with more than one label
};
DuplicateRows equal_rows(const Dataset& data, std::size_t q);

}  // namespace podium
