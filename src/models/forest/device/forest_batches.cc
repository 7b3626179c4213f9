#include "models/forest/device/forest_batches.h"

#include <algorithm>

namespace podium {
namespace {

constexpr std::size_t kFewTrees = 4;  // not worth copying columns to shared memory
constexpr std::size_t kBlocksPerTask = 16;

}  // namespace

std::vector<std::uint32_t> features_in_use(std::span<const Tree> trees, std::size_t features) {
  std::vector<bool> used(features);
  for (const Tree& tree : trees)
    for (const Tree::Node& node : tree.nodes) used[node.feature] = true;
  std::vector<std::uint32_t> list;
  for (std::uint32_t f = 0; f < features; ++f)
    if (used[f]) list.push_back(f);
  return list;
}

void fill_columns(const Dataset& data, std::size_t begin, std::size_t count,
                  const BlockColumns& columns, std::span<float> out, ThreadPool& pool) {
  parallel_for(pool, count, kBlocksPerTask * kBlock, [&](std::size_t low, std::size_t high) {
    FeatureBlock block(data.rows(begin + low, begin + high), columns);
    for (std::size_t at = low; at < high; at += kBlock) {
      const std::size_t documents = std::min(kBlock, high - at);
      const float* const filled = block.fill(at - low, documents);
      for (std::size_t c = 0; c < columns.features.size(); ++c)
        std::copy_n(filled + c * kBlock, documents, out.data() + c * count + at);
    }
  });
}

std::uint32_t staged_documents(std::size_t trees, std::size_t columns) {
  if (trees < kFewTrees || columns == 0) return 0;
  for (std::uint32_t documents = AddTreesStaged::kThreads; documents >= 32; documents /= 2)
    if (columns * documents * sizeof(float) <= kMostShared) return documents;
  return 0;
}

void add_trees(DeviceQueue& queue, AddTreesArgs args, std::uint32_t staged) {
  args.documents_per_block = staged > 0 ? staged : AddTreesInPlace::kThreads;
  const auto blocks = static_cast<std::uint32_t>((args.documents + args.documents_per_block - 1) /
                                                 args.documents_per_block);
  if (staged > 0)
    queue.run<AddTreesStaged>(blocks, args, args.used_count * staged * sizeof(float));
  else
    queue.run<AddTreesInPlace>(blocks, args);
}

}  // namespace podium
