#include "models/forest/fast_forest.h"

#include <algorithm>

#include "models/forest/fast_forest_compile.h"
#include "models/forest/fast_forest_kernels.h"

namespace podium {
namespace {

constexpr std::size_t kTask = 16 * kBlock;  // documents

BlockColumns columns_in_use(std::span<const Tree> trees, std::size_t features) {
  std::vector<bool> used(features);
  for (const Tree& tree : trees)
    for (const Tree::Node& node : tree.nodes) used[node.feature] = true;
  BlockColumns columns;
  columns.of.assign(features, BlockColumns::kNone);
  for (std::uint32_t f = 0; f < features; ++f) {
    if (!used[f]) continue;
    columns.of[f] = static_cast<std::uint32_t>(columns.features.size());
    columns.features.push_back(f);
  }
  return columns;
}

}  // namespace

FastForest::FastForest(std::span<const Tree> trees, std::size_t outputs, std::size_t features)
    : outputs_(outputs),
      columns_(columns_in_use(trees, features)),
      trees_(compile(trees, columns_)) {}

void FastForest::add_to(std::span<double> sums, const Dataset& data, ThreadPool& pool) const {
  parallel_for(pool, data.documents(), kTask, [&](std::size_t begin, std::size_t end) {
    FeatureBlock block(data.rows(begin, end), columns_);
    std::vector<double> by_output(outputs_ * kBlock);
    for (std::size_t at = begin; at < end; at += kBlock) {
      const std::size_t count = std::min(kBlock, end - at);
      double* const own = sums.data() + at * outputs_;
      for (std::size_t i = 0; i < count * outputs_; ++i)
        by_output[i % outputs_ * kBlock + i / outputs_] = own[i];
      add_block(trees_, block.fill(at - begin, count), count, outputs_, by_output.data());
      for (std::size_t i = 0; i < count * outputs_; ++i)
        own[i] = by_output[i % outputs_ * kBlock + i / outputs_];
    }
  });
}

}  // namespace podium
