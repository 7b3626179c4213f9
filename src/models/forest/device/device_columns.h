// Features of a data set in a device's memory, column by column as float, for all documents or, if
// that does not fit, for a slice of them. Only features that trees use are sent, when a tree first
// uses them, and then stay: so data with many features that no tree uses costs nothing, and each
// round of training finds most of its columns there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/device_array.h"
#include "podium/dataset.h"
#include "podium/thread_pool.h"

namespace podium {

class DeviceColumns {
 public:
  // All must outlive this object. `most_bytes`: of the columns.
  DeviceColumns(const Dataset& data, DeviceQueue& queue, ThreadPool& pool,
                std::uint64_t most_bytes);

  // How many documents, at least one, are to be loaded at a time, so that these features fit.
  std::uint64_t slice(std::size_t features) const;
  // Documents begin … end − 1 of these features, ascending: no more than slice().
  void load(std::uint64_t begin, std::uint64_t end, std::span<const std::uint32_t> features);

  // Of what was loaded last: the column of each feature.
  std::span<const std::uint32_t> column_of() const { return column_of_; }
  const float* data() const { return values_.data(); }
  std::uint64_t stride() const { return end_ - begin_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  void reserve(std::size_t columns);
  void send(std::span<const std::uint32_t> features, std::size_t first_column);

  const Dataset& data_;
  DeviceQueue& queue_;
  ThreadPool& pool_;
  std::uint64_t most_values_;
  std::uint64_t begin_ = 0, end_ = 0;
  std::size_t columns_ = 0;               // so many are there
  std::vector<std::uint32_t> column_of_;  // kNone: not there
  DeviceArray<float> values_;
};

}  // namespace podium
