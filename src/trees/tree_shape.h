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

#include <algorithm>
#include <cstdint>
#include <deque>
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
  struct Division;
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
    Division* division = nullptr;  // what it is divided into

    bool may_be_divided() const { return split.found() && !division; }
  };
  struct Division {
    Leaf left, right;
  };

  // Splits leaves while that gains something. The root's histogram is complete, if it may be split.
  virtual void grow_leaves() = 0;
  // Completes what is unfinished, and drops the histograms that are not needed any more. Some of
  // the leaves may have none.
  virtual void find_splits_of(std::span<Leaf* const> leaves, const Unfinished& unfinished) = 0;

  // Divides leaves by their splits: moves documents, and finds the splits of what becomes of them.
  // All leaves cost one exchange between ranks.
  void divide(std::span<Leaf* const> leaves);
  // The leaf, which has been divided, becomes two.
  void split(std::size_t number);
  // Whether leaves should be divided before their turn, to save exchanges between ranks.
  bool divides_ahead() const { return context_.comm.size() > 1 && engine_->divides_ahead(); }
  // How many leaves one call of divide() may have.
  std::size_t most_divided() const { return std::max<std::size_t>(1, slots_.most() / 2); }
  // Calls use(leaf) for leaves_ and for those that leaves are divided into.
  template <class Use>
  void for_each_leaf(Use&& use) {
    for (Leaf& leaf : leaves_) use(leaf);
    for (Division& division : divisions_) {
      use(division.left);
      use(division.right);
    }
  }

  bool may_split(const Leaf& leaf) const { return may_split(leaf, leaves_.size()); }
  // Sums over all ranks.
  void sum_documents(Leaf& leaf);
  void drop_histogram(Leaf& leaf);

  const BinnedDataset& data_;
  TreeOptions options_;
  Context& context_;
  SplitFinder finder_;
  Interactions interactions_;
  TreeEngine* engine_ = nullptr;  // while a tree is grown
  std::vector<Leaf> leaves_;

 private:
  // Two leaves that one is divided into.
  struct Children {
    explicit Children(Division& division);
    Leaf *small, *large;
    std::optional<std::size_t> of_parent = {};  // the parent's histogram
  };

  void start(std::uint64_t number);
  // If there are this many leaves.
  bool may_split(const Leaf& leaf, std::size_t leaves) const;
  BinRoute route_of(const Split& split) const;
  Division children_of(const Leaf& parent) const;
  void move_documents(const Leaf& parent, const Children& children);
  void add_node(const Leaf& parent, std::size_t left, std::size_t right);
  void add_smaller(Leaf& parent, Children& children);
  void find_splits(const Children& children);
  std::size_t take_histogram();
  void add_documents(Leaf& leaf);
  void add_ranks();
  std::optional<std::size_t> incomplete(const Leaf& leaf) const;
  void search(std::span<Leaf* const> leaves, const Unfinished& unfinished);
  GrownTree finish();

  HistogramSlots slots_;
  bool any_derivatives_ = false;
  GrownTree grown_;
  std::deque<Division> divisions_;  // of this tree; leaves_ has copies of those that were split
  std::vector<TreeEngine::RankedHistogram> to_exchange_;  // complete, but of this rank
};

std::unique_ptr<TreeShape> make_tree_shape(const BinnedDataset& data, TreeOptions options,
                                           Context& context);

}  // namespace podium
