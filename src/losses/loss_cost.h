// What evaluating a loss on one list takes, as it grows with the list: the one table of costs, with
// constants measured on one processor of 2020. It tells minutes from seconds, no more.
// docs/guide/long-lists.md has the formulas.
#pragma once

#include <cstddef>

#include "podium/loss.h"

namespace podium {

struct ListCost {
  double seconds = 0, bytes = 0;
};
// Of documents with this many different labels.
ListCost list_cost(const Loss& loss, std::size_t documents, std::size_t grades = 5);

}  // namespace podium
