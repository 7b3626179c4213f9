#include "data/formats/row_piece.h"

#include <algorithm>
#include <numeric>

namespace podium {

void RowStrings::add(std::size_t row, std::string_view text) {
  if (text.empty()) return;
  sizes.resize(row + 1);
  sizes[row] = static_cast<std::uint32_t>(text.size());
  chars += text;
}

void RowPiece::add_qid(std::string_view qid_text) {
  if (runs.empty() || qid(runs.back()) != qid_text) {
    runs.push_back({qid_chars.size(), qid_text.size(), 0});
    qid_chars += qid_text;
  }
  ++runs.back().rows;
}

void RowPiece::add_leading(std::span<const float> values) {
  width_ = std::max(width_, values.size());
  row_sizes_.push_back(static_cast<std::uint32_t>(values.size()));
  if (!columns_.empty()) {
    const std::size_t begin = columns_.size();
    columns_.grow(values.size());
    std::iota(columns_.data() + begin, columns_.data() + columns_.size(), 0U);
  }
  values_.append(values);
}

void RowPiece::add_entries(std::span<const std::uint32_t> columns, std::span<const float> values) {
  if (columns_.empty()) store_columns();
  if (!columns.empty()) width_ = std::max<std::size_t>(width_, columns.back() + std::size_t{1});
  row_sizes_.push_back(static_cast<std::uint32_t>(values.size()));
  columns_.append(columns);
  values_.append(values);
}

void RowPiece::store_columns() {
  columns_.resize(values_.size());
  std::uint32_t* out = columns_.data();
  for (const std::uint32_t size : row_sizes_) {
    std::iota(out, out + size, 0U);
    out += size;
  }
}

void RowPiece::finish(float absent) {
  stored_ = count_stored(absent);
  if (rows() == 0) return;
  if (sparse_is_better(stored_, rows(), width_)) {
    if (columns_.empty()) store_columns();
    make_sparse(absent);
  } else {
    if (values_.size() != rows() * width_) make_dense(absent);
    row_sizes_ = {};
    columns_ = {};
    values_.shrink();
  }
}

void RowPiece::renumber(std::span<const std::uint32_t> kept) {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i] = static_cast<std::uint32_t>(
        std::lower_bound(kept.begin(), kept.end(), columns_[i]) - kept.begin());
  width_ = kept.size();
}

void RowPiece::recode(std::uint32_t column, std::span<const float> codes) {
  const auto recode_value = [codes](float& value) {
    if (value == value) value = codes[static_cast<std::size_t>(value)];
  };
  if (!is_dense()) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i] == column) recode_value(values_[i]);
  } else if (column < width_) {
    for (std::size_t row = 0; row < rows(); ++row) recode_value(values_[row * width_ + column]);
  }
}

void RowPiece::recount(float absent) {
  stored_ = count_stored(absent);
  if (!is_dense()) make_sparse(absent);
}

std::size_t RowPiece::count_stored(float absent) const {
  return static_cast<std::size_t>(
      std::count_if(values_.data(), values_.data() + values_.size(),
                    [absent](float value) { return !is_absent(value, absent); }));
}

void RowPiece::make_dense(float absent) {
  if (columns_.empty()) store_columns();
  PageArray<float> dense(rows() * width_);
  std::size_t entry = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    float* out = dense.data() + row * width_;
    std::fill_n(out, width_, absent);
    for (const std::size_t end = entry + row_sizes_[row]; entry < end; ++entry)
      out[columns_[entry]] = values_[entry];
  }
  values_ = std::move(dense);
}

void RowPiece::make_sparse(float absent) {
  std::size_t entry = 0, kept = 0;
  for (std::uint32_t& size : row_sizes_) {
    const std::size_t end = entry + size, row_begin = kept;
    for (; entry < end; ++entry) {
      if (is_absent(values_[entry], absent)) continue;
      columns_[kept] = columns_[entry];
      values_[kept++] = values_[entry];
    }
    size = static_cast<std::uint32_t>(kept - row_begin);
  }
  columns_.resize(kept);
  columns_.shrink();
  values_.resize(kept);
  values_.shrink();
}

}  // namespace podium
