// Grows one regression tree: what all shapes of trees have in common. A split divides a leaf where
// that gains
//
//   ½ [ G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ) ]
//
// over sums G, H of the loss's first and second derivatives; a shape decides which leaves are split
// next, and how (leaf_wise.h, oblivious.h). Sums over bins are integers (histogram.h), so the tree
// depends neither on the number of threads nor on the device, nor on how the documents are
// distributed over ranks; the leaves' values are then computed in full precision with sums that are
// reproducible in the same sense (leaf_values.h).
//
// Monotone constraints: both sides of a split on a constrained feature must keep the order, and
// the middle of their values bounds every later value on either side. So the whole tree is
// monotone in each such feature, on any input without missing values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "podium/context.h"
#include "podium/model.h"
#include "trees/binned_dataset.h"
#include "trees/histogram_slots.h"
#include "trees/interactions.h"
#include "trees/split_finder.h"
#include "trees/tree_engine.h"
#include "trees/tree_options.h"

namespace podium {

struct GrownTree {
  Tree tree;
  std::vector<Split> splits;      // one per node of the tree
  std::vector<LeafRange> leaves;  // this rank's documents of each leaf, in the engine's order
};

class TreeShape {
 public:
  // Throws an Error if the options are invalid. Data and context must outlive this object.
  TreeShape(const BinnedDataset& data, TreeOptions options, Context& context);
  virtual ~TreeShape() = default;

  const TreeOptions& options() const { return options_; }

  // Collective: all ranks must call it. `number`: of the tree, for random choices by hash.
  GrownTree grow(TreeEngine& engine, std::uint64_t number);

 protected:
  struct Leaf {
    LeafRange documents = {};  // of this rank
    DerivativeSums sums = {};  // over all ranks
    int depth = 0;
    ValueBounds bounds = {};
    Interactions::Branch branch = {};
    Split split = {};
    std::optional<std::size_t> histogram = {};
    bool is_ready = false;  // search() is done with it
    std::int32_t parent = -1;
    ChildSide side = ChildSide::left;
  };

  // Splits leaves while that gains something. The root's histogram is complete, if it may be split.
  virtual void grow_leaves() = 0;
  // Completes what is unfinished, and drops the histograms that are not needed any more. Some of
  // the leaves may have none.
  virtual void find_splits_of(std::span<const std::size_t> leaves,
                              const Unfinished& unfinished) = 0;

  // By leaves_[number].split.
  void split(std::size_t number);
  bool may_split(const Leaf& leaf) const;
  void add_documents(Leaf& leaf);
  std::optional<std::size_t> incomplete(const Leaf& leaf) const;
  void drop_histogram(Leaf& leaf);

  const BinnedDataset& data_;
  TreeOptions options_;
  Context& context_;
  SplitFinder finder_;
  Interactions interactions_;
  TreeEngine* engine_ = nullptr;  // while a tree is grown
  std::vector<Leaf> leaves_;

 private:
  void start(std::uint64_t number);
  struct Children {
    std::size_t small, large;
  };
  BinRoute route_of(const Split& split) const;
  void move_documents(const Leaf& parent, const Children& children);
  void add_node(const Leaf& parent, std::size_t left, std::size_t right);
  void prepare_children(const Children& children, std::optional<std::size_t> histogram);
  std::size_t take_histogram();
  void search(std::span<const std::size_t> leaves, const Unfinished& unfinished);
  GrownTree finish();

  HistogramSlots slots_;
  bool any_derivatives_ = false;
  GrownTree grown_;
};

std::unique_ptr<TreeShape> make_tree_shape(const BinnedDataset& data, TreeOptions options,
                                           Context& context);

}  // namespace podium
