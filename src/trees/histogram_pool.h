// Memory for histograms, one buffer per leaf, up to a limit: if the pool is empty, another leaf's
// histogram is dropped and computed again if that leaf is split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/page_array.h"
#include "trees/histogram.h"

namespace podium {

class HistogramPool {
 public:
  // As many buffers of `bins` as fit into most_bytes, but at least two.
  HistogramPool(std::size_t bins, std::size_t most_bytes)
      : bins_(bins),
        most_(std::max<std::size_t>(
            2, most_bytes / std::max<std::size_t>(1, bins * sizeof(DerivativeSums)))) {}

  // The index of a buffer; nullopt if all are taken.
  std::optional<std::size_t> take() {
    if (free_.empty() && buffers_.size() == most_) return {};
    if (free_.empty()) {
      buffers_.emplace_back(bins_);
      return buffers_.size() - 1;
    }
    const std::size_t buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give_back(std::size_t buffer) { free_.push_back(buffer); }
  Histogram operator[](std::size_t buffer) { return {buffers_[buffer].data(), bins_}; }

 private:
  std::size_t bins_, most_;
  std::vector<PageArray<DerivativeSums>> buffers_;
  std::vector<std::size_t> free_;
};

}  // namespace podium
