#include "trees/tree_builder.h"

#include <utility>

#include "trees/binned_tree.h"

namespace podium {

TreeBuilder::TreeBuilder(const BinnedDataset& data, TreeOptions options, Context& context)
    : data_(data),
      context_(context),
      shape_(make_tree_shape(data, std::move(options), context)),
      engine_(data, context) {}

Tree TreeBuilder::build(const TreeTarget& target, std::span<std::uint32_t> leaf_of) {
  const TreeOptions& options = shape_->options();
  TreeTarget used = target;
  if (options.leaf_value == TreeOptions::LeafValue::gradient) used.second = {};
  engine_.set_target(used, options.l2);
  GrownTree grown = shape_->grow(engine_, target.number);
  const WorkPhase phase(context_.pool, "leaf values");
  engine_.write_leaves(grown.leaves, leaf_of);
  if (target.sample)
    walk_others(BinnedTree{data_, grown.tree, grown.splits}, *target.sample, leaf_of,
                context_.pool);
  return std::move(grown.tree);
}

}  // namespace podium
