#include "models/forest/fast_forest.h"

#include <algorithm>

#include "models/forest/fast_forest_compile.h"
#include "models/forest/fast_forest_kernels.h"

namespace podium {
namespace {

constexpr std::size_t kTask = 16 * kBlock;  // documents
constexpr std::size_t kManySplits = 256;    // by categories; their columns take 64 KiB

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
    : outputs_(outputs), columns_(columns_in_use(trees, features)), categories_(trees, columns_) {
  if (categories_.empty()) {
    parts_.push_back({compile(trees, columns_), {}});
    return;
  }
  for (std::size_t begin = 0; begin < trees.size();) {
    Part part;
    std::size_t end = begin;
    while (end < trees.size() && part.splits.columns.size() < kManySplits)
      for (std::size_t k = 0; k < outputs; ++k)
        part.splits.append(trees[end++], categories_, columns_);
    part.trees = compile(trees.subspan(begin, end - begin), columns_);
    most_splits_ = std::max(most_splits_, part.splits.columns.size());
    parts_.push_back(std::move(part));
    begin = end;
  }
}

void FastForest::add_to(std::span<double> sums, const Dataset& data, ThreadPool& pool) const {
  parallel_for(pool, data.documents(), kTask, [&](std::size_t begin, std::size_t end) {
    FeatureBlock block(data.rows(begin, end), columns_, most_splits_);
    std::vector<std::uint32_t> indices(categories_.features() * kBlock);
    std::vector<double> by_output(outputs_ * kBlock);
    for (std::size_t at = begin; at < end; at += kBlock) {
      const std::size_t count = std::min(kBlock, end - at);
      double* const own = sums.data() + at * outputs_;
      for (std::size_t i = 0; i < count * outputs_; ++i)
        by_output[i % outputs_ * kBlock + i / outputs_] = own[i];
      const float* const values = block.fill(at - begin, count);
      categories_.look_up(values, count, indices.data());
      for (const Part& part : parts_) {
        part.splits.fill(indices.data(), count, block.more());
        add_block(part.trees, values, count, outputs_, by_output.data());
      }
      for (std::size_t i = 0; i < count * outputs_; ++i)
        own[i] = by_output[i % outputs_ * kBlock + i / outputs_];
    }
  });
}

}  // namespace podium
