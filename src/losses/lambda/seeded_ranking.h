// Ranking by score for λ-rules: equal scores in the order of a hash of (seed, query key, place in
// the query); in training data, keys and places follow from the content (data/content.h). Each
// query's documents are put into that order once; a ranking is then a stable sort.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/dataset.h"

namespace podium {

class SeededRanking {
 public:
  // The data must outlive the ranking.
  SeededRanking(const Dataset& data, std::uint64_t seed);

  // The positions of query q's documents, best score first. The query must not be empty.
  std::vector<std::uint32_t> rank(std::size_t q, std::span<const double> scores) const;
  // The positions of each query's documents in the order of equal scores, query by query.
  std::span<const std::uint32_t> by_hash() const { return by_hash_; }

 private:
  const Dataset& data_;
  std::vector<std::uint32_t> by_hash_;  // the positions in each query
};

}  // namespace podium
