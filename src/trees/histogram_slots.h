// Numbers of histograms, one per leaf, up to a limit of memory: if none is left, another leaf's
// histogram is dropped and computed again if that leaf is split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "trees/quantized_derivatives.h"

namespace podium {

class HistogramSlots {
 public:
  // As many histograms of `bins` as fit into most_bytes, but at least two.
  HistogramSlots(std::size_t bins, std::size_t most_bytes)
      : most_(std::max<std::size_t>(
            2, most_bytes / std::max<std::size_t>(1, bins * sizeof(DerivativeSums)))) {}

  std::size_t most() const { return most_; }
  // nullopt: all are taken.
  std::optional<std::size_t> take() {
    if (free_.empty() && taken_ == most_) return {};
    if (free_.empty()) return taken_++;
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::size_t slot) { free_.push_back(slot); }

 private:
  std::size_t most_, taken_ = 0;
  std::vector<std::size_t> free_;
};

}  // namespace podium
