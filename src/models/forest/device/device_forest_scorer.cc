#include "models/forest/device/device_forest_scorer.h"

#include <algorithm>
#include <utility>

#include "models/forest/device/forest_batches.h"

namespace podium {

DeviceForestScorer::DeviceForestScorer(const Dataset& data, std::size_t outputs,
                                       std::unique_ptr<DeviceQueue> queue, Context& context,
                                       std::uint64_t most_bytes)
    : queue_(std::move(queue)),
      data_(data),
      pool_(context.pool),
      width_(outputs),
      columns_(data, *queue_, context.pool, most_bytes) {}

void DeviceForestScorer::start(std::vector<double> outputs) {
  host_outputs_ = std::move(outputs);
  outputs_sent_ = outputs_changed_ = false;
}

void DeviceForestScorer::add(std::span<const Tree> trees) {
  if (trees.empty() || data_.documents() == 0) return;
  const WorkPhase phase(pool_, "scoring on the device");
  if (!std::exchange(outputs_sent_, true)) outputs_.assign(*queue_, host_outputs_);
  const std::vector<std::uint32_t> features = features_in_use(trees, data_.features());
  const std::uint64_t slice = columns_.slice(features.size());
  for (std::uint64_t begin = 0; begin < data_.documents(); begin += slice)
    add_slice(begin, std::min<std::uint64_t>(data_.documents(), begin + slice), trees, features);
  outputs_changed_ = true;
}

void DeviceForestScorer::add_slice(std::uint64_t begin, std::uint64_t end,
                                   std::span<const Tree> trees,
                                   std::span<const std::uint32_t> features) {
  columns_.load(begin, end, features);
  std::vector<std::uint32_t> used;
  for (const std::uint32_t f : features) used.push_back(columns_.column_of()[f]);
  const std::uint32_t staged = staged_documents(trees.size(), features.size());
  if (staged > 0) {
    // Nodes have the places of columns in shared memory.
    std::vector<std::uint32_t> place_of(data_.features());
    for (std::uint32_t place = 0; place < features.size(); ++place)
      place_of[features[place]] = place;
    trees_.upload(trees, place_of, used, *queue_);
  } else {
    trees_.upload(trees, columns_.column_of(), used, *queue_);
  }
  add_trees(*queue_,
            {.trees = trees_.view(),
             .columns = columns_.data(),
             .stride = columns_.stride(),
             .used = trees_.used(),
             .used_count = static_cast<std::uint32_t>(used.size()),
             .documents_per_block = 0,
             .documents = end - begin,
             .outputs = static_cast<std::uint32_t>(width_),
             .sums = outputs_.data() + begin * width_},
            staged);
}

std::span<const double> DeviceForestScorer::outputs() {
  if (std::exchange(outputs_changed_, false)) outputs_.download(host_outputs_);
  return host_outputs_;
}

}  // namespace podium
