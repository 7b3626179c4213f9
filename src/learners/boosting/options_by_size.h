// Options whose best value depends on the size of the data: 0 leaves the choice to these rules.
//
//   leaves    √documents / 16, from 6 to 31
//
// Found on the validation parts of MQ2007, MQ2008 and OHSUMED, on samples of their queries and on
// synthetic data (docs/guide/boosted-trees.md). With few documents, large trees fit noise; with
// many, 31 leaves are what other tools use.
#pragma once

#include <cstdint>

#include "learners/boosting/boosting.h"

namespace podium {

std::int64_t leaves_by_size(std::uint64_t documents);

// Throws a usage Error for a number of leaves, or a depth, that no tree has.
void check_leaves(const BoostingOptions& options);

// Of oblivious trees: the depth that both ‹max-depth› and ‹leaves› permit, 6 if neither is given,
// and its 2^depth leaves.
BoostingOptions with_oblivious_shape(BoostingOptions options);

// Replaces zeros. Collective: the documents of all ranks count.
BoostingOptions options_by_size(BoostingOptions options, const Dataset& train, Context& context);

}  // namespace podium
