#include "trees/device/device_bins.h"

#include <algorithm>
#include <array>

#include "device/upload_stage.h"

namespace podium {
namespace {

constexpr std::size_t kRowsAtOnce = std::size_t{1} << 19;  // on their way
constexpr std::size_t kRowsPerTask = std::size_t{1} << 13;
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

std::uint32_t row_width(std::size_t columns) {
  return columns <= 4 ? 4 : columns <= 8 ? 8 : static_cast<std::uint32_t>(sizeof(BinRow));
}

BinRow row_of(const std::array<std::uint8_t, BinRow::kWidth>& bins) {
  BinRow row;
  for (unsigned c = 0; c < BinRow::kWidth; ++c)
    (c < 8 ? row.low : row.high) |= std::uint64_t{bins[c]} << 8 * (c & 7);
  return row;
}

}  // namespace

DeviceBins::DeviceBins(const BinnedDataset& data, std::span<const std::int8_t> directions,
                       DeviceQueue& queue, ThreadPool& pool)
    : documents_(data.documents()),
      groups_(static_cast<std::uint32_t>(data.blocks().size())),
      sparse_bins_(data.sparse().bins),
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
         .is_category = feature.is_category,
         .direction = directions.empty() ? std::int8_t{0} : directions[feature.feature]});
  describe_groups(data, queue);
  columns_ = DeviceArray<DeviceColumn>(queue, std::span<const DeviceColumn>(known_));
  if (groups_ > 0) upload_rows(data, queue, pool);
  if (data.sparse().columns.empty()) return;
  sparse_begin_ = DeviceArray<std::uint64_t>(queue, data.sparse().row_begin.view());
  sparse_entries_ = DeviceArray<std::uint32_t>(queue, data.sparse().entries.view());
}

// Padded places have bin 0, which is the one passed over.
void DeviceBins::describe_groups(const BinnedDataset& data, DeviceQueue& queue) {
  std::uint64_t bytes = 0;
  for (const auto& block : data.blocks()) {
    const std::uint32_t width = row_width(block.width());
    std::array<std::uint8_t, BinRow::kWidth> bins = {};
    for (std::uint32_t place = 0; place < block.width(); ++place) {
      DeviceColumn& column = known_[block.columns[place]];
      column.row_begin = bytes + place;
      column.row_width = width;
      // A sample of documents may have none of the bins of this column.
      column.passed_over = std::min(frequent_bin(block, place, data.documents()), column.bins - 1);
      bins[place] = static_cast<std::uint8_t>(column.passed_over);
    }
    known_groups_.push_back({bytes, width, 0, row_of(bins)});
    constexpr std::uint64_t kAligned = sizeof(BinRow);
    bytes += (documents_ * width + kAligned - 1) / kAligned * kAligned;
  }
  rows_ = DeviceArray<std::uint8_t>(queue, bytes);
  group_list_ = DeviceArray<DeviceGroup>(queue, std::span<const DeviceGroup>(known_groups_));
}

void DeviceBins::upload_rows(const BinnedDataset& data, DeviceQueue& queue, ThreadPool& pool) {
  const WorkPhase phase(pool, "bins to the device");
  UploadStage<std::uint8_t> stage(queue,
                                  sizeof(BinRow) * std::min<std::size_t>(kRowsAtOnce, documents_));
  for (std::size_t g = 0; g < data.blocks().size(); ++g) {
    const auto& block = data.blocks()[g];
    const std::size_t width = known_groups_[g].width;
    for (std::size_t begin = 0; begin < documents_; begin += kRowsAtOnce) {
      const std::size_t count = std::min<std::size_t>(kRowsAtOnce, documents_ - begin);
      const std::span<std::uint8_t> rows = stage.fill().first(count * width);
      const std::uint8_t* const from = block.bins.data() + begin * block.width();
      parallel_for(pool, count, kRowsPerTask, [&](std::size_t low, std::size_t high) {
        if (block.width() == width) {
          std::copy(from + low * width, from + high * width, rows.data() + low * width);
          return;
        }
        for (std::size_t d = low; d < high; ++d) {
          const auto row = rows.subspan(d * width, width);
          const auto padding = std::copy_n(from + d * block.width(), block.width(), row.begin());
          std::fill(padding, row.end(), std::uint8_t{0});
        }
      });
      stage.send(rows_.data() + known_groups_[g].begin + begin * width, rows);
    }
  }
}

}  // namespace podium
