#include "data/formats/document_arrays.h"

#include <algorithm>
#include <numeric>

namespace podium {

FeatureArrays::FeatureArrays(const std::vector<RowPiece>& pieces, const Grouping& groups,
                             std::size_t documents, std::size_t features, float absent,
                             Storage storage, ThreadPool& pool)
    : features_(features), absent_(absent) {
  if (storage == Storage::dense) {
    dense_.resize(documents * features);
    return;
  }
  std::size_t stored = 0;
  for (const RowPiece& piece : pieces) stored += piece.stored();
  row_begin_.resize(documents + 1);
  row_begin_[0] = 0;
  pool.run(pieces.size(), [&](std::size_t p) { count_entries(pieces[p], groups.run_begin[p]); });
  std::partial_sum(row_begin_.data(), row_begin_.data() + row_begin_.size(), row_begin_.data());
  columns_.resize(stored);
  values_.resize(stored);
}

void FeatureArrays::count_entries(const RowPiece& piece, std::span<const std::uint64_t> run_begin) {
  for_each_run(piece, run_begin, [&](std::size_t row, std::size_t document, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (!piece.is_dense()) {
        row_begin_[document + i + 1] = piece.row_sizes()[row + i];
        continue;
      }
      const auto values = piece.dense_row(row + i);
      row_begin_[document + i + 1] = static_cast<std::uint64_t>(std::count_if(
          values.begin(), values.end(), [&](float v) { return !is_absent(v, absent_); }));
    }
  });
}

void FeatureArrays::fill(const RowPiece& piece, std::span<const std::uint64_t> run_begin) {
  std::size_t entry = 0;  // of the piece's sparse rows
  for_each_run(piece, run_begin, [&](std::size_t row, std::size_t document, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (piece.is_dense()) {
        const auto values = piece.dense_row(row + i);
        row_begin_.empty() ? put_dense(document + i, values) : put_sparse(document + i, values);
        continue;
      }
      const std::size_t size = piece.row_sizes()[row + i];
      const auto columns = piece.columns().subspan(entry, size);
      const auto values = piece.values().subspan(entry, size);
      row_begin_.empty() ? put_dense(document + i, columns, values)
                         : put_sparse(document + i, columns, values);
      entry += size;
    }
  });
}

void FeatureArrays::put_dense(std::size_t document, std::span<const float> values) {
  float* out = dense_.data() + document * features_;
  std::copy(values.begin(), values.end(), out);
  std::fill(out + values.size(), out + features_, absent_);
}

void FeatureArrays::put_dense(std::size_t document, std::span<const std::uint32_t> columns,
                              std::span<const float> values) {
  float* out = dense_.data() + document * features_;
  std::fill_n(out, features_, absent_);
  for (std::size_t i = 0; i < columns.size(); ++i) out[columns[i]] = values[i];
}

void FeatureArrays::put_sparse(std::size_t document, std::span<const float> values) {
  std::size_t at = row_begin_[document];
  for (std::size_t column = 0; column < values.size(); ++column) {
    if (is_absent(values[column], absent_)) continue;
    columns_[at] = static_cast<std::uint32_t>(column);
    values_[at++] = values[column];
  }
}

void FeatureArrays::put_sparse(std::size_t document, std::span<const std::uint32_t> columns,
                               std::span<const float> values) {
  std::copy(columns.begin(), columns.end(), columns_.data() + row_begin_[document]);
  std::copy(values.begin(), values.end(), values_.data() + row_begin_[document]);
}

void FeatureArrays::move_to(DatasetParts& parts) {
  parts.absent = absent_;
  if (row_begin_.empty()) {
    parts.dense = to_buffer(std::move(dense_));
    return;
  }
  parts.row_begin = to_buffer(std::move(row_begin_));
  parts.columns = to_buffer(std::move(columns_));
  parts.values = to_buffer(std::move(values_));
}

StringArrays::StringArrays(const std::vector<RowPiece>& pieces, const Grouping& groups,
                           std::size_t documents, RowStrings RowPiece::*part)
    : part_(part) {
  if (std::all_of(pieces.begin(), pieces.end(),
                  [&](const RowPiece& piece) { return (piece.*part).sizes.empty(); }))
    return;
  begin_.resize(documents + 1);
  begin_[0] = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for_each_run(pieces[p], groups.run_begin[p],
                 [&](std::size_t row, std::size_t document, std::size_t rows) {
                   for (std::size_t i = 0; i < rows; ++i)
                     begin_[document + i + 1] = (pieces[p].*part).size_of(row + i);
                 });
  std::partial_sum(begin_.data(), begin_.data() + begin_.size(), begin_.data());
  chars_.resize(begin_[documents]);
}

void StringArrays::fill(const RowPiece& piece, std::span<const std::uint64_t> run_begin) {
  if (begin_.empty()) return;
  const RowStrings& strings = piece.*part_;
  std::size_t from = 0;
  for_each_run(piece, run_begin, [&](std::size_t row, std::size_t document, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t size = strings.size_of(row + i);
      std::copy_n(strings.chars.data() + from, size, chars_.data() + begin_[document + i]);
      from += size;
    }
  });
}

Strings StringArrays::strings() {
  if (begin_.empty()) return {};
  return {to_buffer(std::move(begin_)), to_buffer(std::move(chars_))};
}

}  // namespace podium
