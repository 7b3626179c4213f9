// The rows of a data set, one at a time as plain arrays of all features. Sparse rows are expanded
// into a buffer in which only the values set by the previous row are reset.
#pragma once

#include <vector>

#include "podium/dataset.h"

namespace podium {

class RowValues {
 public:
  explicit RowValues(const Rows& rows)
      : rows_(rows), buffer_(rows.is_dense() ? 0 : rows.features(), rows.absent()) {}

  // Valid until the next call.
  const float* operator()(std::size_t row) {
    if (rows_.is_dense()) return rows_.dense(row).data();
    for (const std::uint32_t column : touched_) buffer_[column] = rows_.absent();
    const Rows::Sparse entries = rows_.sparse(row);
    touched_ = entries.columns;
    for (std::size_t i = 0; i < touched_.size(); ++i) buffer_[touched_[i]] = entries.values[i];
    return buffer_.data();
  }

 private:
  Rows rows_;
  std::vector<float> buffer_;
  std::span<const std::uint32_t> touched_;
};

}  // namespace podium
