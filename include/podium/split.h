// Splits by query: every query goes to exactly one part, with all its documents.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "podium/dataset.h"

namespace podium {

// "60,20,20": proportions, whatever their sum.
std::vector<double> parse_shares(std::string_view text);

// Assigns queries to parts in the given proportions, seeded, and balanced by their best grade. Each
// part lists its queries in the data's order. The same on every machine. Throws an Error if a part
// would be empty.
std::vector<std::vector<std::size_t>> split_queries(const Dataset& data,
                                                    const std::vector<double>& shares,
                                                    std::uint64_t seed);

struct Fold {
  std::vector<std::size_t> train, valid, test;  // queries
};

// k-fold cross-validation as in LETOR, k ≥ 3: of k equal parts, fold f trains on parts f … f + k −
// 3, validates on f + k − 2 and tests on f + k − 1 (mod k), so each part is the test set once.
std::vector<Fold> make_folds(const Dataset& data, int k, std::uint64_t seed);

}  // namespace podium
