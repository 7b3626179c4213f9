// The content of one block of text: the rows that a parser found in it, stored compactly. The
// pieces of all blocks, in order, become a Dataset (see assemble.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page_array.h"
#include "podium/error.h"

namespace podium {

// One string per row; mostly empty.
struct RowStrings {
  std::vector<std::uint32_t> sizes;  // empty: all strings are empty
  std::string chars;

  void add(std::size_t row, std::string_view text);  // skipped rows before this one get ""
  std::size_t size_of(std::size_t row) const { return row < sizes.size() ? sizes[row] : 0; }
};

// The first lines (counted from 1 in the piece; 0: none) with and without an optional part.
struct Presence {
  std::size_t first_with = 0, first_without = 0;

  void see_with(std::size_t line) {
    if (first_with == 0) first_with = line;
  }
  void see_without(std::size_t line) {
    if (first_without == 0) first_without = line;
  }
};

// Consecutive rows with the same qid.
struct QueryRun {
  std::size_t qid_begin = 0, qid_size = 0;  // in RowPiece::qid_chars
  std::size_t rows = 0;
};

// The values of a column of categories, numbered within one piece: value i has the number i + 1.
// Rows that do not mention the feature have 0.
struct PieceCategories {
  std::vector<std::string> values;
  bool has_zero = false;  // some row has 0
};

class RowPiece {
 public:
  std::size_t lines = 0;       // of text, including blank ones
  std::optional<Error> error;  // its line is counted within the piece
  std::vector<float> labels;
  std::vector<QueryRun> runs;
  std::string qid_chars;
  Presence qids, weights, positions;
  std::vector<float> document_weights;  // empty, or one per row
  std::vector<float> query_weights;     // the same: of the row's query
  std::vector<std::int32_t> position_values;
  RowStrings docids, hosts;
  std::vector<PieceCategories> categories;  // one per column of categories; see encode_categories.h

  std::size_t rows() const noexcept { return labels.size(); }
  std::size_t width() const noexcept { return width_; }
  bool is_dense() const noexcept { return row_sizes_.empty(); }
  // How many values differ from the absent one.
  std::size_t stored() const noexcept { return stored_; }
  std::string_view qid(const QueryRun& run) const {
    return std::string_view(qid_chars).substr(run.qid_begin, run.qid_size);
  }
  void add_qid(std::string_view qid);

  // Reserves memory for the values of that much text at once: they need less than half of its size.
  // Rounded up to whole huge pages if it is that large; finish() frees the rest.
  void expect(std::size_t text_bytes) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    std::size_t bytes = text_bytes / 2;
    if (bytes > kHugePage) bytes = bytes / kHugePage * kHugePage;
    values_.reserve(bytes / sizeof(float));
  }

  // A row's features: values of columns 0 … size − 1, or of ascending columns.
  void add_leading(std::span<const float> values);
  void add_entries(std::span<const std::uint32_t> columns, std::span<const float> values);
  // After the last row: keeps rows dense or sparse, whichever is better.
  void finish(float absent);

  // After finish(), for sparse rows: renumbers the columns by their indices in `kept`, which is
  // ascending and contains all of them.
  void renumber(std::span<const std::uint32_t> kept);

  // After finish(): each number n of a column becomes codes[n] (0 stays 0 if rows may omit it);
  // after the last column, recount() removes values that have become 0 from sparse rows.
  void recode(std::uint32_t column, std::span<const float> codes);
  void recount(float absent);

  // After finish(): the row's values of columns 0 … width() − 1, or its sparse entries.
  std::span<const float> dense_row(std::size_t row) const {
    return values_.view().subspan(row * width_, width_);
  }
  std::span<const std::uint32_t> row_sizes() const noexcept { return row_sizes_; }
  std::span<const std::uint32_t> columns() const noexcept { return columns_.view(); }
  std::span<const float> values() const noexcept { return values_.view(); }

 private:
  std::size_t count_stored(float absent) const;
  void store_columns();
  void make_dense(float absent);
  void make_sparse(float absent);

  std::size_t width_ = 0;
  std::size_t stored_ = 0;
  std::vector<std::uint32_t>
      row_sizes_;  // while building: entries per row; dense after finish(): empty
  PageArray<std::uint32_t> columns_;  // while building: empty as long as every row is leading
  PageArray<float> values_;
};

// Whether a value equals that of absent features: 0 (not −0), or any NaN.
inline bool is_absent(float value, float absent) noexcept {
  return absent == 0 ? std::bit_cast<std::uint32_t>(value) == 0 : value != value;
}

// Sparse entries cost 8 bytes and slower access: worthwhile if less than a quarter of the cells are
// stored.
inline bool sparse_is_better(std::size_t stored, std::size_t rows, std::size_t features) noexcept {
  return stored < rows * features / 4;
}

}  // namespace podium
