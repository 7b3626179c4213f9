#include "models/forest/device/device_forest_scorer.h"

#include <algorithm>
#include <utility>

namespace podium {
namespace {

constexpr std::size_t kFewTrees = 4;  // not worth copying columns to shared memory

std::vector<std::uint32_t> features_in_use(std::span<const Tree> trees, std::size_t features) {
  std::vector<bool> used(features);
  for (const Tree& tree : trees)
    for (const Tree::Node& node : tree.nodes) used[node.feature] = true;
  std::vector<std::uint32_t> list;
  for (std::uint32_t f = 0; f < features; ++f)
    if (used[f]) list.push_back(f);
  return list;
}

// How many documents of a block have their columns in shared memory; 0: none.
std::uint32_t staged_documents(std::size_t trees, std::size_t columns) {
  if (trees < kFewTrees || columns == 0) return 0;
  for (std::uint32_t documents = AddTreesStaged::kThreads; documents >= 32; documents /= 2)
    if (columns * documents * sizeof(float) <= kMostShared) return documents;
  return 0;
}

}  // namespace

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
  outputs_.assign(*queue_, host_outputs_);
  outputs_changed_ = false;
}

void DeviceForestScorer::add(std::span<const Tree> trees) {
  if (trees.empty() || data_.documents() == 0) return;
  const WorkPhase phase(pool_, "scoring on the device");
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
  const std::uint32_t per_block = staged > 0 ? staged : AddTreesInPlace::kThreads;
  const auto blocks = static_cast<std::uint32_t>((end - begin + per_block - 1) / per_block);
  const AddTreesArgs args{.trees = trees_.view(),
                          .columns = columns_.data(),
                          .stride = columns_.stride(),
                          .used = trees_.used(),
                          .used_count = static_cast<std::uint32_t>(used.size()),
                          .documents_per_block = per_block,
                          .documents = end - begin,
                          .outputs = static_cast<std::uint32_t>(width_),
                          .sums = outputs_.data() + begin * width_};
  if (staged > 0)
    queue_->run<AddTreesStaged>(blocks, args, features.size() * staged * sizeof(float));
  else
    queue_->run<AddTreesInPlace>(blocks, args);
}

std::span<const double> DeviceForestScorer::outputs() {
  if (std::exchange(outputs_changed_, false)) outputs_.download(host_outputs_);
  return host_outputs_;
}

}  // namespace podium
