// Pairs (i, j) of documents that were shown together, i clicked and j not, counted by the positions
// of both. See podium/debiased.h, pairwise and additive.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clicks/click_weights.h"
#include "podium/debiased.h"

namespace podium {

struct ClickPair {
  std::uint32_t clicked = 0, skipped = 0;                    // documents of the shown data
  std::uint16_t clicked_position = 0, skipped_position = 0;  // from 0
  double count = 0;
};
struct ClickPairs {
  std::vector<ClickPair> pairs;      // by query
  std::vector<std::uint64_t> begin;  // of each query of the shown data
  std::uint32_t positions = 0;
};
// `number`: of each document of the log, its number among the shown documents.
// `scale`: what a session counts.
ClickPairs count_click_pairs(const ClickLog& log, const std::vector<std::uint32_t>& number,
                             double scale);

// Of a pair loss or λ-rule with logistic pairs; a usage Error names those for another loss.
SharedLoss click_pair_loss(const SharedLoss& loss, const DebiasOptions& options,
                           std::shared_ptr<const DocumentNumbers> numbers,
                           std::shared_ptr<const ClickPairs> pairs);

}  // namespace podium
