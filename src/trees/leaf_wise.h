// Grows one regression tree leaf-wise: always the split with the largest gain
//
//   ½ [ G_l²/(H_l + λ) + G_r²/(H_r + λ) − G²/(H + λ) ]
//
// over sums G, H of the loss's first and second derivatives. Sums over bins are integers
// (histogram.h), so the tree depends neither on the number of threads nor on the device, nor on how
// the documents are distributed over ranks; the leaves' values are then computed in full precision
// with sums that are reproducible in the same sense (leaf_values.h).
//
// Monotone constraints: both sides of a split on a constrained feature must keep the order, and
// the middle of their values bounds every later value on either side. So the whole tree is
// monotone in each such feature, on any input without missing values.
#pragma once

#include <cstdint>
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

struct LeafWiseTree {
  Tree tree;
  std::vector<Split> splits;      // one per node of the tree
  std::vector<LeafRange> leaves;  // this rank's documents of each leaf, in the engine's order
};

class LeafWise {
 public:
  // Throws an Error if the options are invalid. Data and context must outlive this object.
  LeafWise(const BinnedDataset& data, TreeOptions options, Context& context);

  const TreeOptions& options() const { return options_; }

  // Collective: all ranks must call it. `number`: of the tree, for random choices by hash.
  LeafWiseTree grow(TreeEngine& engine, std::uint64_t number);

 private:
  struct Leaf {
    LeafRange documents = {};  // of this rank
    DerivativeSums sums = {};  // over all ranks
    int depth = 0;
    ValueBounds bounds = {};
    Interactions::Branch branch = {};
    Split split = {};
    std::optional<std::size_t> histogram = {};
    std::int32_t parent = -1;
    ChildSide side = ChildSide::left;
  };

  void start(std::uint64_t number);
  std::optional<std::size_t> best_leaf() const;
  void split(std::size_t number);
  struct Children {
    std::size_t small, large;
  };
  BinRoute route_of(const Split& split) const;
  void move_documents(const Leaf& parent, const Children& children);
  void add_node(const Leaf& parent, std::size_t left, std::size_t right);
  void find_splits(const Children& children, std::optional<std::size_t> histogram);
  bool may_split(const Leaf& leaf) const;
  std::size_t take_histogram();
  void add_documents(Leaf& leaf);
  std::optional<std::size_t> incomplete(const Leaf& leaf) const;
  void search(std::span<const std::size_t> leaves, const Unfinished& unfinished);
  LeafWiseTree finish();

  const BinnedDataset& data_;
  TreeOptions options_;
  Context& context_;
  SplitFinder finder_;
  Interactions interactions_;
  HistogramSlots slots_;
  TreeEngine* engine_ = nullptr;  // while a tree is grown
  bool any_derivatives_ = false;
  std::vector<Leaf> leaves_;
  LeafWiseTree grown_;
};

}  // namespace podium
