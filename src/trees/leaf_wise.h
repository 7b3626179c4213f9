// Trees grown leaf by leaf: always the split with the largest gain, of any leaf.
//
// Each exchange between ranks costs about as much as a small leaf, so several ranks divide leaves
// ahead: those that are likely to be split, with what they would be divided into, in one exchange.
// Which leaves are split, and in which order, does not depend on that; those that were divided and
// whose turn never comes are leaves.
#pragma once

#include "trees/tree_shape.h"

namespace podium {

class LeafWise final : public TreeShape {
 public:
  using TreeShape::TreeShape;

 private:
  void grow_leaves() override;
  void find_splits_of(std::span<Leaf* const> leaves, const Unfinished& unfinished) override;
  std::optional<std::size_t> best_leaf() const;
  std::vector<Leaf*> leaves_to_divide(Leaf& best);
  void drop_surpassed();
  std::size_t splits_left() const {
    return static_cast<std::size_t>(options_.leaves) - leaves_.size();
  }
};

}  // namespace podium
