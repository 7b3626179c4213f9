#include "models/forest/device/device_columns.h"

#include <algorithm>
#include <utility>

#include "device/upload_stage.h"
#include "models/forest/device/forest_batches.h"

namespace podium {
namespace {

constexpr std::uint64_t kValuesAtOnce = std::uint64_t{1} << 21;  // of a half, on their way

}  // namespace

DeviceColumns::DeviceColumns(const Dataset& data, DeviceQueue& queue, ThreadPool& pool,
                             std::uint64_t most_bytes)
    : data_(data),
      queue_(queue),
      pool_(pool),
      most_values_(most_bytes / sizeof(float)),
      column_of_(data.features(), kNone) {}

std::uint64_t DeviceColumns::slice(std::size_t features) const {
  const std::uint64_t fitting = most_values_ / std::max<std::size_t>(1, features);
  return std::clamp<std::uint64_t>(fitting, 1, std::max<std::uint64_t>(1, data_.documents()));
}

// Keeps the columns that are there.
void DeviceColumns::reserve(std::size_t columns) {
  const std::uint64_t needed = columns * stride();
  if (needed <= values_.size()) return;
  const std::uint64_t most = std::min(data_.features() * stride(), most_values_);
  DeviceArray<float> more(queue_, std::max(needed, std::min(2 * needed, most)));
  if (columns_ > 0) queue_.copy(more.data(), values_.data(), columns_ * stride() * sizeof(float));
  queue_.wait();
  values_ = std::move(more);
}

void DeviceColumns::load(std::uint64_t begin, std::uint64_t end,
                         std::span<const std::uint32_t> features) {
  std::vector<std::uint32_t> missing;
  const auto find_missing = [&] {
    missing.clear();
    for (const std::uint32_t f : features)
      if (column_of_[f] == kNone) missing.push_back(f);
  };
  find_missing();
  if (begin != begin_ || end != end_ ||
      (columns_ + missing.size()) * (end - begin) > most_values_) {
    std::fill(column_of_.begin(), column_of_.end(), kNone);
    columns_ = 0;
    begin_ = begin;
    end_ = end;
    find_missing();
  }
  if (missing.empty()) return;
  reserve(columns_ + missing.size());
  send(missing, columns_);
  for (const std::uint32_t f : missing) column_of_[f] = static_cast<std::uint32_t>(columns_++);
}

void DeviceColumns::send(std::span<const std::uint32_t> features, std::size_t first_column) {
  const WorkPhase phase(pool_, "features to the device");
  BlockColumns wanted;
  wanted.features.assign(features.begin(), features.end());
  wanted.of.assign(data_.features(), BlockColumns::kNone);
  for (std::uint32_t c = 0; c < features.size(); ++c) wanted.of[features[c]] = c;
  const std::uint64_t piece = std::min<std::uint64_t>(
      (stride() + kBlock - 1) / kBlock * kBlock,
      std::max<std::uint64_t>(1, kValuesAtOnce / (features.size() * kBlock)) * kBlock);
  UploadStage<float> stage(queue_, features.size() * piece);
  for (std::uint64_t from = begin_; from < end_; from += piece) {
    const std::uint64_t count = std::min(piece, end_ - from);
    const std::span<float> values = stage.fill();
    fill_columns(data_, from, count, wanted, values, pool_);
    for (std::size_t c = 0; c < features.size(); ++c)
      stage.send(values_.data() + (first_column + c) * stride() + (from - begin_),
                 values.subspan(c * count, count));
  }
}

}  // namespace podium
