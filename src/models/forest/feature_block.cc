#include "models/forest/feature_block.h"

#include <algorithm>
#include <new>

namespace podium {

FeatureBlock::FeatureBlock(const Rows& rows, const BlockColumns& columns, std::size_t more)
    : rows_(rows),
      columns_(columns),
      values_(hwy::AllocateAligned<float>((columns.features.size() + more + 1) * kBlock)) {
  if (!values_) throw std::bad_alloc();
  std::fill_n(values_.get(), columns.features.size() * kBlock, rows.absent());
}

const float* FeatureBlock::fill(std::size_t begin, std::size_t count) {
  if (rows_.is_dense())
    fill_dense(begin, count);
  else
    fill_sparse(begin, count);
  return values_.get();
}

void FeatureBlock::fill_dense(std::size_t begin, std::size_t count) {
  const float* const rows = rows_.dense(begin).data();
  float* out = values_.get();
  for (const std::uint32_t feature : columns_.features) {
    for (std::size_t d = 0; d < count; ++d) out[d] = rows[d * rows_.features() + feature];
    out += kBlock;
  }
}

void FeatureBlock::fill_sparse(std::size_t begin, std::size_t count) {
  for (const std::size_t place : touched_) values_[place] = rows_.absent();
  touched_.clear();
  for (std::size_t d = 0; d < count; ++d) {
    const Rows::Sparse entries = rows_.sparse(begin + d);
    for (std::size_t i = 0; i < entries.columns.size(); ++i) {
      const std::uint32_t column = columns_.of[entries.columns[i]];
      if (column == BlockColumns::kNone) continue;
      touched_.push_back(column * kBlock + d);
      values_[touched_.back()] = entries.values[i];
    }
  }
}

}  // namespace podium
