// The final arrays of a Dataset, filled from pieces. Several pieces may be copied at the same time:
// each writes to its own part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/page_array.h"
#include "data/formats/group_rows.h"
#include "data/formats/row_piece.h"
#include "podium/dataset.h"
#include "podium/thread_pool.h"

namespace podium {

template <class T>
Buffer<T> to_buffer(PageArray<T> array) {
  auto owner = std::make_shared<const PageArray<T>>(std::move(array));
  return Buffer<T>(owner->view(), owner);
}

// Calls body(first row in the piece, first document, rows) for each run of a piece, in order.
template <class Body>
void for_each_run(const RowPiece& piece, std::span<const std::uint64_t> run_begin, Body&& body) {
  std::size_t row = 0;
  for (std::size_t r = 0; r < piece.runs.size(); ++r) {
    body(row, static_cast<std::size_t>(run_begin[r]), piece.runs[r].rows);
    row += piece.runs[r].rows;
  }
}

// The features, dense or sparse.
class FeatureArrays {
 public:
  enum class Storage { dense, sparse };
  FeatureArrays(const std::vector<RowPiece>& pieces, const Grouping& groups, std::size_t documents,
                std::size_t features, float absent, Storage storage, ThreadPool& pool);

  void fill(const RowPiece& piece, std::span<const std::uint64_t> run_begin);
  void move_to(DatasetParts& parts);

 private:
  void count_entries(const RowPiece& piece, std::span<const std::uint64_t> run_begin);
  void put_dense(std::size_t document, std::span<const float> values);
  void put_dense(std::size_t document, std::span<const std::uint32_t> columns,
                 std::span<const float> values);
  void put_sparse(std::size_t document, std::span<const float> values);
  void put_sparse(std::size_t document, std::span<const std::uint32_t> columns,
                  std::span<const float> values);

  std::size_t features_;
  float absent_;
  PageArray<float> dense_;
  PageArray<std::uint64_t> row_begin_;  // sparse when not empty
  PageArray<std::uint32_t> columns_;
  PageArray<float> values_;
};

// One string per document; empty if no row has one.
class StringArrays {
 public:
  StringArrays(const std::vector<RowPiece>& pieces, const Grouping& groups, std::size_t documents,
               RowStrings RowPiece::*part);

  void fill(const RowPiece& piece, std::span<const std::uint64_t> run_begin);
  Strings strings();

 private:
  RowStrings RowPiece::*part_;
  PageArray<std::uint64_t> begin_;
  PageArray<char> chars_;
};

}  // namespace podium
