// Trees grown leaf by leaf: always the split with the largest gain, of any leaf.
#pragma once

#include "trees/tree_shape.h"

namespace podium {

class LeafWise final : public TreeShape {
 public:
  using TreeShape::TreeShape;

 private:
  void grow_leaves() override;
  void find_splits_of(std::span<const std::size_t> leaves, const Unfinished& unfinished) override;
  std::optional<std::size_t> best_leaf() const;
};

}  // namespace podium
