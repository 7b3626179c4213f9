// Binned data in a device's memory. Dense bins are stored as on the host, in groups of 16 columns;
// rows of narrower groups are padded to 4, 8 or 16 bytes, so that a row is one load.
#pragma once

#include <cstdint>
#include <vector>

#include "device/both.h"
#include "device/device_array.h"
#include "trees/binned_dataset.h"

namespace podium {

struct alignas(16) BinRow {
  static constexpr unsigned kWidth = BinnedDataset::kBlockWidth;
  std::uint64_t low = 0, high = 0;  // eight bins each

  PODIUM_BOTH std::uint32_t bin(unsigned column) const {
    const std::uint64_t half = column < 8 ? low : high;
    return static_cast<std::uint32_t>(half >> 8 * (column & 7) & 0xFF);
  }
};

// A group of dense columns.
struct DeviceGroup {
  std::uint64_t begin = 0;  // of its rows, in bytes
  std::uint32_t width = 0;  // of a row in bytes: 4, 8 or 16
  std::uint32_t unused = 0;
  BinRow passed_over;  // its columns' bins that are not added up
};

// What kernels know about a column.
struct DeviceColumn {
  static constexpr std::uint32_t kSparse = BinnedFeature::kSparse;
  std::uint32_t first_bin = 0, bins = 0, value_bins = 0;
  std::uint32_t group = kSparse, place = 0;  // dense: place in the group's rows
  std::uint64_t row_begin = 0;               // dense: of its bin in the first row
  std::uint32_t row_width = 0;
  std::uint32_t sparse_begin = 0, default_bin = 0;  // sparse
  std::uint32_t passed_over = 0;  // the bin that is not added up: the rest of the leaf is in it
  bool has_missing = false, is_category = false;
  std::int8_t direction = 0;  // of monotone constraints

  PODIUM_BOTH bool is_sparse() const { return group == kSparse; }
};

// A view for kernels.
struct BinView {
  const std::uint8_t* rows = nullptr;  // group by group, one per document
  std::uint64_t documents = 0;
  const std::uint64_t* sparse_begin = nullptr;  // of each document's entries
  const std::uint32_t* sparse_entries = nullptr;

  // The bins of a document in a group; those of padded places are 0.
  PODIUM_BOTH BinRow row(const DeviceGroup& group, std::uint64_t document) const {
    const std::uint8_t* const at = rows + group.begin + document * group.width;
    if (group.width == sizeof(BinRow)) return *reinterpret_cast<const BinRow*>(at);
    if (group.width == sizeof(std::uint64_t))
      return {*reinterpret_cast<const std::uint64_t*>(at), 0};
    return {*reinterpret_cast<const std::uint32_t*>(at), 0};
  }

  PODIUM_BOTH std::uint32_t bin(const DeviceColumn& column, std::uint32_t document) const {
    if (!column.is_sparse())
      return rows[column.row_begin + std::uint64_t{document} * column.row_width];
    // The first entry that is not below the column's.
    std::uint64_t begin = sparse_begin[document], end = sparse_begin[document + 1];
    while (begin < end) {
      const std::uint64_t middle = (begin + end) / 2;
      if (sparse_entries[middle] < column.sparse_begin)
        begin = middle + 1;
      else
        end = middle;
    }
    if (begin == sparse_begin[document + 1] ||
        sparse_entries[begin] >= column.sparse_begin + column.bins)
      return column.default_bin;
    return sparse_entries[begin] - column.sparse_begin;
  }
};

class DeviceBins {
 public:
  // `directions`: one per feature of the data; empty: no constraints.
  DeviceBins(const BinnedDataset& data, std::span<const std::int8_t> directions, DeviceQueue& queue,
             ThreadPool& pool);

  BinView view() const {
    return {rows_.data(), documents_, sparse_begin_.data(), sparse_entries_.data()};
  }
  const DeviceColumn* columns() const { return columns_.data(); }
  const DeviceColumn& column(std::size_t c) const { return known_[c]; }
  const std::uint32_t* keys() const { return keys_.data(); }
  const DeviceGroup* group_list() const { return group_list_.data(); }
  std::uint32_t groups() const { return groups_; }
  std::uint32_t sparse_bins() const { return sparse_bins_; }

 private:
  void describe_groups(const BinnedDataset& data, DeviceQueue& queue);
  void upload_rows(const BinnedDataset& data, DeviceQueue& queue, ThreadPool& pool);

  std::uint64_t documents_;
  std::uint32_t groups_, sparse_bins_;
  std::vector<DeviceColumn> known_;
  std::vector<DeviceGroup> known_groups_;
  DeviceArray<DeviceColumn> columns_;
  DeviceArray<DeviceGroup> group_list_;
  DeviceArray<std::uint8_t> rows_;
  DeviceArray<std::uint64_t> sparse_begin_;
  DeviceArray<std::uint32_t> sparse_entries_, keys_;
};

}  // namespace podium
