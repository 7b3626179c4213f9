// The folds in use: a fold is prepared for its first cell, shared by all its cells, and freed after
// the last.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "experiments/comparison/prepared_fold.h"

namespace podium {

class FoldCache {
 public:
  // `cells`: the number of cells of each fold.
  FoldCache(const Design& design, std::vector<std::size_t> cells)
      : design_(design), slots_(cells.size()) {
    for (std::size_t f = 0; f < cells.size(); ++f) slots_[f].left = cells[f];
  }

  std::shared_ptr<PreparedFold> get(std::size_t fold, Context& context) {
    Slot& slot = slots_[fold];
    const std::scoped_lock lock(slot.mutex);
    if (!slot.fold) slot.fold = std::make_shared<PreparedFold>(design_.load(fold, context));
    const auto held = slot.fold;
    if (--slot.left == 0) slot.fold.reset();
    return held;
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<PreparedFold> fold;
    std::size_t left = 0;
  };
  const Design& design_;
  std::vector<Slot> slots_;
};

}  // namespace podium
