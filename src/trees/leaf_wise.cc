#include "trees/leaf_wise.h"

namespace podium {

void LeafWise::grow_leaves() {
  while (leaves_.size() < static_cast<std::size_t>(options_.leaves)) {
    const auto leaf = best_leaf();
    if (!leaf) break;
    split(*leaf);
  }
}

// Of equal gains, the oldest leaf.
std::optional<std::size_t> LeafWise::best_leaf() const {
  std::optional<std::size_t> best;
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    if (leaves_[leaf].split.found() &&
        (!best || leaves_[leaf].split.gain > leaves_[*best].split.gain))
      best = leaf;
  return best;
}

// The best splits of leaves with histograms; those without a split give theirs back.
void LeafWise::find_splits_of(std::span<const std::size_t> leaves, const Unfinished& unfinished) {
  std::vector<LeafSearch> problems;
  std::vector<std::size_t> searched;
  for (const std::size_t leaf : leaves) {
    if (!leaves_[leaf].histogram || !may_split(leaves_[leaf])) continue;
    problems.push_back({*leaves_[leaf].histogram, leaves_[leaf].sums, leaves_[leaf].bounds,
                        leaves_[leaf].branch.allowed});
    searched.push_back(leaf);
  }
  const std::vector<Split> found = engine_->search(finder_, problems, unfinished);
  for (std::size_t i = 0; i < searched.size(); ++i) leaves_[searched[i]].split = found[i];
  for (const std::size_t leaf : leaves)
    if (!leaves_[leaf].split.found()) drop_histogram(leaves_[leaf]);
}

}  // namespace podium
