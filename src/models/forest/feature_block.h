// Blocks of documents stored feature by feature, as described in fast_forest_layout.h, for the
// features in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <hwy/aligned_allocator.h>

#include "models/forest/fast_forest_layout.h"
#include "podium/dataset.h"

namespace podium {

// The features in use and their columns.
struct BlockColumns {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> features;  // one per column, ascending
  std::vector<std::uint32_t> of;        // the column of each feature, or kNone
};

class FeatureBlock {
 public:
  // The columns must outlive the block. `more` columns after them are the caller's to fill.
  FeatureBlock(const Rows& rows, const BlockColumns& columns, std::size_t more = 0);

  // Rows begin … begin + count − 1, count ≤ kBlock; the rest of the block has arbitrary numbers.
  // Valid until the next call.
  const float* fill(std::size_t begin, std::size_t count);
  float* more() { return values_.get() + columns_.features.size() * kBlock; }

 private:
  void fill_dense(std::size_t begin, std::size_t count);
  void fill_sparse(std::size_t begin, std::size_t count);

  Rows rows_;
  const BlockColumns& columns_;
  hwy::AlignedFreeUniquePtr<float[]> values_;
  std::vector<std::size_t> touched_;  // positions that a sparse row wrote to
};

}  // namespace podium
