// The order of documents with equal scores, under conventions that fix one: by document id, or that
// of the input, which for training data is not the order of its rows (data/content.h).
#pragma once

#include <cstdint>
#include <span>

#include "podium/dataset.h"
#include "podium/evaluator.h"

namespace podium {

// Whether that order can differ from the order of the rows.
bool reorders_ties(const Dataset& data, Ties ties);

// Where each document of query q stands among documents of equal score.
void place_ties(const Dataset& data, Ties ties, std::size_t q, std::span<std::uint32_t> place);

}  // namespace podium
