// The dual learning algorithm [Ai18]: see podium/debiased.h, dual.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clicks/click_weights.h"
#include "podium/debiased.h"

namespace podium {

// Counts by document and position.
struct DualCell {
  std::uint32_t position = 0;  // from 0
  double shown = 0, clicked = 0;
};
struct DualCells {
  std::vector<std::vector<DualCell>> of_document;  // by number among the shown documents
  std::uint32_t positions = 0;
};
// `number`: of each document of the log, its number among the shown documents.
DualCells count_dual_cells(const ClickLog& log, const std::vector<std::uint32_t>& number,
                           double scale);

// Of a softmax loss; a usage Error for another.
SharedLoss dual_loss(const SharedLoss& loss, const DebiasOptions& options,
                     std::shared_ptr<const DocumentNumbers> numbers,
                     std::shared_ptr<const DualCells> cells);

}  // namespace podium
