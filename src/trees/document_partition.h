// The documents to learn from, in the order of the tree's leaves: a leaf's documents are contiguous
// and ascending.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "podium/thread_pool.h"
#include "trees/binned_dataset.h"
#include "trees/quantized_derivatives.h"

namespace podium {

// Which bins of a column go left.
struct BinRoute {
  BinRoute(const BinnedFeature& feature, std::uint32_t last_left, bool missing_left);
  std::array<std::uint8_t, BinnedDataset::kBinStride> left = {};  // 0 or 1
};

class DocumentPartition {
 public:
  // One leaf of all documents, or of the sample.
  void reset(std::size_t documents, const DocumentSample& sample);

  std::span<const std::uint32_t> all() const { return order_; }
  std::span<const std::uint32_t> part(std::size_t begin, std::size_t end) const {
    return std::span(order_).subspan(begin, end - begin);
  }

  // Moves those of begin … end − 1 that go left to the front, and returns their number.
  std::size_t split(std::size_t begin, std::size_t end, const BinnedDataset& data,
                    std::size_t column, const BinRoute& route, ThreadPool& pool);

 private:
  std::vector<std::uint32_t> order_, scratch_;
};

}  // namespace podium
