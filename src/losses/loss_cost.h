// The cost of evaluating a loss on one list, as a function of its length: the one table of costs,
// with constants measured on one processor from 2020. It distinguishes minutes from seconds, no
// more. docs/guide/long-lists.md has the formulas.
#pragma once

#include <cstddef>

#include "podium/loss.h"

namespace podium {

struct ListCost {
  double seconds = 0, bytes = 0;
};
// For documents with this many distinct labels.
ListCost list_cost(const Loss& loss, std::size_t documents, std::size_t grades = 5);

}  // namespace podium
