// The documents of each query in blocks of equal grade, for losses that compare grades.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/dataset.h"

namespace podium {

class GradeBlocks {
 public:
  enum class Order { worst_first, best_first };
  GradeBlocks(const Dataset& data, Order order);

  // Positions within the query, block by block, in input order within a block.
  std::span<const std::uint32_t> documents(std::size_t q) const {
    return std::span(documents_).subspan(begin_[q], begin_[q + 1] - begin_[q]);
  }
  // Where each block ends in documents(q).
  std::span<const std::uint32_t> ends(std::size_t q) const {
    return std::span(ends_).subspan(block_begin_[q], block_begin_[q + 1] - block_begin_[q]);
  }

 private:
  std::vector<std::uint32_t> documents_, ends_;
  std::vector<std::size_t> begin_, block_begin_;
};

}  // namespace podium
