#include "trees/device/device_bins.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace podium {
namespace {

constexpr std::size_t kRowsAtOnce = std::size_t{1} << 20;
constexpr std::size_t kSampledRows = 4096;

// The bin that most of some documents have: what is passed over is correct for any bin, and fast
// for frequent ones.
std::uint32_t frequent_bin(const BinnedDataset::DenseBlock& block, std::size_t place,
                           std::size_t documents) {
  std::array<std::uint32_t, BinnedDataset::kBinStride> count = {};
  const std::size_t step = std::max<std::size_t>(1, documents / kSampledRows);
  for (std::size_t d = 0; d < documents; d += step) ++count[block.bins[d * block.width() + place]];
  return static_cast<std::uint32_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

BinRow row_of(const std::array<std::uint8_t, BinRow::kWidth>& bins) {
  BinRow row;
  for (unsigned c = 0; c < BinRow::kWidth; ++c)
    (c < 8 ? row.low : row.high) |= std::uint64_t{bins[c]} << 8 * (c & 7);
  return row;
}

}  // namespace

DeviceBins::DeviceBins(const BinnedDataset& data, std::span<const std::int8_t> directions,
                       DeviceQueue& queue)
    : documents_(data.documents()),
      groups_(static_cast<std::uint32_t>(data.blocks().size())),
      sparse_bins_(data.sparse().bins),
      rows_(queue, data.documents() * data.blocks().size()),
      keys_(queue, data.keys()) {
  for (const BinnedFeature& feature : data.columns())
    known_.push_back(
        {.first_bin = feature.first_bin,
         .bins = feature.bins(),
         .value_bins = feature.value_bins(),
         .group = feature.block,
         .place = feature.column,
         .sparse_begin = feature.sparse_begin,
         .default_bin = feature.default_bin,
         .passed_over = feature.default_bin,
         .has_missing = feature.has_missing,
         .direction = directions.empty() ? std::int8_t{0} : directions[feature.feature]});
  std::vector<BinRow> passed_over;
  for (const auto& block : data.blocks()) {
    std::array<std::uint8_t, BinRow::kWidth> bins = {};
    for (std::size_t place = 0; place < block.width(); ++place) {
      DeviceColumn& column = known_[block.columns[place]];
      // A sample of documents may have none of the bins of this column.
      column.passed_over = std::min(frequent_bin(block, place, data.documents()), column.bins - 1);
      bins[place] = static_cast<std::uint8_t>(column.passed_over);
    }
    passed_over.push_back(row_of(bins));
  }
  columns_ = DeviceArray<DeviceColumn>(queue, std::span<const DeviceColumn>(known_));
  passed_over_ = DeviceArray<BinRow>(queue, std::span<const BinRow>(passed_over));
  upload_rows(data);
  if (data.sparse().columns.empty()) return;
  sparse_begin_ = DeviceArray<std::uint64_t>(queue, data.sparse().row_begin.view());
  sparse_entries_ = DeviceArray<std::uint32_t>(queue, data.sparse().entries.view());
}

// Padded places have bin 0, which is the one passed over.
void DeviceBins::upload_rows(const BinnedDataset& data) {
  std::vector<BinRow> rows;
  for (std::size_t g = 0; g < data.blocks().size(); ++g) {
    const auto& block = data.blocks()[g];
    for (std::size_t begin = 0; begin < documents_; begin += kRowsAtOnce) {
      const std::size_t end = std::min<std::size_t>(documents_, begin + kRowsAtOnce);
      rows.resize(end - begin);
      for (std::size_t d = begin; d < end; ++d) {
        std::array<std::uint8_t, BinRow::kWidth> bins = {};
        std::memcpy(bins.data(), block.bins.data() + d * block.width(), block.width());
        rows[d - begin] = row_of(bins);
      }
      rows_.upload(rows, g * documents_ + begin);
    }
  }
}

}  // namespace podium
