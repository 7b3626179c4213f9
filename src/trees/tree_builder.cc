#include "trees/tree_builder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "trees/binned_tree.h"
#include "trees/document_partition.h"
#include "trees/draw_columns.h"
#include "trees/histogram.h"
#include "trees/histogram_pool.h"
#include "trees/histogram_ranks.h"
#include "trees/interactions.h"
#include "trees/leaf_values.h"
#include "trees/run_tasks.h"
#include "trees/split_finder.h"

namespace podium {

class TreeBuilder::State {
 public:
  State(const BinnedDataset& data, TreeOptions options, Context& context)
      : data_(data),
        options_(std::move(options)),
        context_(context),
        builder_(data, context.pool),
        finder_(data),
        interactions_(options_.interactions, data),
        pool_(data.total_bins(), options_.histogram_bytes) {
    check(options_, data.features());
  }

  Tree build(TreeTarget target, std::span<std::uint32_t> leaf_of);

 private:
  struct Leaf {
    std::size_t begin = 0, end = 0;  // this rank's documents, in the partition
    DerivativeSums sums;             // over all ranks
    int depth = 0;
    ValueBounds bounds;
    Interactions::Branch branch;
    Split split;
    std::optional<std::size_t> histogram;
    std::int32_t parent = -1;
    ChildSide side = ChildSide::left;
  };

  void start(const TreeTarget& target);
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
  void gather(const Leaf& leaf);
  void add_documents(Leaf& leaf);
  void complete(std::uint32_t column, Histogram histogram);
  void search(std::span<const std::size_t> leaves, const SplitFinder::PrepareColumn& prepare = {});
  void finish(const TreeTarget& target, std::span<std::uint32_t> leaf_of);

  const BinnedDataset& data_;
  TreeOptions options_;
  Context& context_;
  HistogramBuilder builder_;
  SplitFinder finder_;
  Interactions interactions_;
  HistogramPool pool_;
  QuantizedDerivatives derivatives_;
  DocumentPartition partition_;
  LeafWords words_;  // of the leaf whose histogram is next
  std::vector<Leaf> leaves_;
  Tree tree_;
  std::vector<Split> splits_;  // one per node of the tree
};

Tree TreeBuilder::State::build(TreeTarget target, std::span<std::uint32_t> leaf_of) {
  if (options_.leaf_value == TreeOptions::LeafValue::gradient) target.second = {};
  start(target);
  while (leaves_.size() < static_cast<std::size_t>(options_.leaves)) {
    const auto leaf = best_leaf();
    if (!leaf) break;
    split(*leaf);
  }
  finish(target, leaf_of);
  return std::exchange(tree_, {});
}

void TreeBuilder::State::start(const TreeTarget& target) {
  const WorkPhase phase(context_.pool, "rounding derivatives");
  derivatives_.assign(target.first, target.second, target.sample, data_.keys(), options_.l2,
                      target.number, context_);
  partition_.reset(data_.documents(), target.sample, context_.pool);
  auto columns =
      draw_columns(data_.columns(), options_.feature_fraction, context_.seed, target.number);
  builder_.use_columns(columns);
  finder_.prepare({.first_unit = derivatives_.first_unit(),
                   .second_unit = derivatives_.second_unit(),
                   .l2 = options_.l2,
                   .category_l2 = options_.category_l2,
                   .min_curvature = options_.min_curvature,
                   .min_gain = options_.min_gain,
                   .min_docs = options_.min_docs,
                   .monotone = options_.monotone},
                  std::move(columns));
  tree_ = {};
  splits_.clear();
  for (Leaf& leaf : leaves_)
    if (leaf.histogram) pool_.give_back(*std::exchange(leaf.histogram, {}));
  Leaf root;
  root.end = partition_.all().size();
  root.sums.documents = static_cast<std::int64_t>(root.end);
  context_.comm.all_reduce_sum(std::span(&root.sums.documents, 1));
  leaves_ = {root};
  if (!may_split(root)) return;
  gather(leaves_[0]);
  add_documents(leaves_[0]);
  search(std::array{std::size_t{0}}, [this, whole = pool_[*leaves_[0].histogram]](
                                         std::uint32_t column) { complete(column, whole); });
}

// Of equal gains, the oldest leaf.
std::optional<std::size_t> TreeBuilder::State::best_leaf() const {
  std::optional<std::size_t> best;
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    if (leaves_[leaf].split.found() &&
        (!best || leaves_[leaf].split.gain > leaves_[*best].split.gain))
      best = leaf;
  return best;
}

// The left part keeps the leaf's number, the right one gets the next.
void TreeBuilder::State::split(std::size_t number) {
  const Leaf parent = leaves_[number];
  const Split& split = parent.split;
  const auto bounds = finder_.child_bounds(split, parent.sums, parent.bounds);
  Leaf left, right;
  left.sums = split.left;
  right.sums = parent.sums - split.left;
  left.depth = right.depth = parent.depth + 1;
  left.bounds = bounds.left;
  right.bounds = bounds.right;
  left.branch = right.branch = interactions_.after(parent.branch, split.column);
  left.parent = right.parent = static_cast<std::int32_t>(tree_.nodes.size());
  right.side = ChildSide::right;
  leaves_[number] = left;
  leaves_.push_back(right);
  const std::size_t other = leaves_.size() - 1;
  add_node(parent, number, other);
  const bool left_is_small = left.sums.documents <= right.sums.documents;
  const Children children{left_is_small ? number : other, left_is_small ? other : number};
  move_documents(parent, children);
  find_splits(children, parent.histogram);
}

BinRoute TreeBuilder::State::route_of(const Split& split) const {
  const BinnedFeature& feature = data_.columns()[split.column];
  if (feature.is_category) return {feature, split.left_bins};
  return {feature, split.bin, split.missing == Tree::Node::Missing::left};
}

// The words of the smaller child, unless no histogram will be needed.
void TreeBuilder::State::move_documents(const Leaf& parent, const Children& children) {
  const WorkPhase phase(context_.pool, "moving documents");
  const LeafSplit split{parent.begin, parent.end, parent.split.column, route_of(parent.split)};
  const ChildWords words{leaves_[children.small].side, derivatives_.words(), words_};
  const bool wanted = may_split(leaves_[children.large]);
  const std::size_t lefts =
      partition_.split(split, data_, wanted ? &words : nullptr, context_.pool);
  for (const std::size_t child : {children.small, children.large}) {
    Leaf& leaf = leaves_[child];
    const bool is_left = leaf.side == ChildSide::left;
    leaf.begin = is_left ? parent.begin : parent.begin + lefts;
    leaf.end = is_left ? parent.begin + lefts : parent.end;
  }
}

void TreeBuilder::State::add_node(const Leaf& parent, std::size_t left, std::size_t right) {
  if (parent.parent >= 0) {
    Tree::Node& above = tree_.nodes[static_cast<std::size_t>(parent.parent)];
    (parent.side == ChildSide::left ? above.left : above.right) =
        static_cast<std::int32_t>(tree_.nodes.size());
  }
  const BinnedFeature& feature = data_.columns()[parent.split.column];
  tree_.nodes.push_back({.feature = feature.feature,
                         .threshold = feature.threshold(parent.split.bin),
                         .missing = parent.split.missing,
                         .left = ~static_cast<std::int32_t>(left),
                         .right = ~static_cast<std::int32_t>(right),
                         .gain = parent.split.gain,
                         .documents = static_cast<std::uint64_t>(parent.sums.documents)});
  if (feature.is_category) {
    tree_.categories.resize(tree_.nodes.size());
    for (const std::uint32_t b : parent.split.left_bins)
      tree_.categories.back().push_back(feature.codes[b]);
  }
  splits_.push_back(parent.split);
}

// The smaller child's histogram is summed, and the larger one's is what the parent's leaves; when
// the parent's was dropped both are summed.
void TreeBuilder::State::find_splits(const Children& children,
                                     std::optional<std::size_t> histogram) {
  const auto [small, large] = children;
  if (!may_split(leaves_[large])) {
    if (histogram) pool_.give_back(*histogram);
    return;
  }
  leaves_[large].histogram = histogram;  // still the parent's
  if (histogram || may_split(leaves_[small])) add_documents(leaves_[small]);
  if (!histogram) {
    for (const std::uint32_t column : finder_.columns())
      if (leaves_[small].histogram) complete(column, pool_[*leaves_[small].histogram]);
    gather(leaves_[large]);
    add_documents(leaves_[large]);
    const Histogram whole = pool_[*leaves_[large].histogram];
    return search(std::array{small, large}, [&](std::uint32_t column) { complete(column, whole); });
  }
  const Histogram rest = pool_[*histogram], part = pool_[*leaves_[small].histogram];
  search(std::array{small, large}, [&](std::uint32_t column) {
    complete(column, part);
    subtract(rest, part, data_.columns()[column]);
  });
}

bool TreeBuilder::State::may_split(const Leaf& leaf) const {
  return leaves_.size() < static_cast<std::size_t>(options_.leaves) &&
         (options_.max_depth == 0 || leaf.depth < options_.max_depth) &&
         leaf.sums.documents >= 2 * std::max<std::int64_t>(1, options_.min_docs) &&
         !data_.columns().empty() && derivatives_.first_unit() > 0;
}

// If none is free, drops that of the leaf with the smallest gain.
std::size_t TreeBuilder::State::take_histogram() {
  if (const auto buffer = pool_.take()) return *buffer;
  Leaf* last = nullptr;
  for (Leaf& leaf : leaves_)
    if (leaf.histogram && leaf.split.found() && (!last || leaf.split.gain <= last->split.gain))
      last = &leaf;
  return *std::exchange(last->histogram, {});
}

void TreeBuilder::State::gather(const Leaf& leaf) {
  words_.gather(partition_.part(leaf.begin, leaf.end), derivatives_.words(), context_.pool);
}

// Sums this rank's documents of a leaf, whose words have been gathered, by slices: complete() is
// left to do, unless there are several ranks.
void TreeBuilder::State::add_documents(Leaf& leaf) {
  const WorkPhase phase(context_.pool, "histograms");
  const std::size_t buffer = take_histogram();
  const Histogram histogram = pool_[buffer];
  leaf.histogram = buffer;
  const bool is_root = leaf.parent < 0;
  builder_.add(partition_.part(leaf.begin, leaf.end), words_, histogram);
  if (context_.comm.size() == 1) {
    if (is_root) leaf.sums = words_.total();
    return;
  }
  for (const std::uint32_t column : finder_.columns()) builder_.complete(column, histogram);
  add_ranks(histogram, finder_.columns(), data_, leaf.sums.documents, context_.comm);
  if (is_root) leaf.sums = total_of(data_.columns()[finder_.columns()[0]], histogram);
}

void TreeBuilder::State::complete(std::uint32_t column, Histogram histogram) {
  if (context_.comm.size() == 1) builder_.complete(column, histogram);
}

// The best splits of leaves with histograms; those without a split give theirs back.
void TreeBuilder::State::search(std::span<const std::size_t> leaves,
                                const SplitFinder::PrepareColumn& prepare) {
  const WorkPhase phase(context_.pool, "splits");
  std::vector<SplitProblem> problems;
  std::vector<std::size_t> searched;
  for (const std::size_t leaf : leaves) {
    if (!leaves_[leaf].histogram || !may_split(leaves_[leaf])) continue;
    problems.push_back({pool_[*leaves_[leaf].histogram], leaves_[leaf].sums, leaves_[leaf].bounds,
                        leaves_[leaf].branch.allowed});
    searched.push_back(leaf);
  }
  const std::vector<Split> found = finder_.best(problems, context_.pool, prepare);
  for (std::size_t i = 0; i < searched.size(); ++i) leaves_[searched[i]].split = found[i];
  for (const std::size_t leaf : leaves)
    if (leaves_[leaf].histogram && !leaves_[leaf].split.found())
      pool_.give_back(*std::exchange(leaves_[leaf].histogram, {}));
}

void TreeBuilder::State::finish(const TreeTarget& target, std::span<std::uint32_t> leaf_of) {
  const WorkPhase phase(context_.pool, "leaf values");
  if (!tree_.categories.empty()) tree_.categories.resize(tree_.nodes.size());
  std::vector<LeafRange> ranges;
  for (const Leaf& leaf : leaves_) {
    ranges.push_back({leaf.begin, leaf.end});
    tree_.leaf_documents.push_back(static_cast<std::uint64_t>(leaf.sums.documents));
  }
  tree_.values =
      leaf_values(target.first, target.second, partition_, ranges, options_.l2, context_);
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    tree_.values[leaf] =
        std::clamp(tree_.values[leaf], leaves_[leaf].bounds.low, leaves_[leaf].bounds.high);
  const std::vector<LeafPiece> pieces = cut_leaves(ranges);
  run_tasks(context_.pool, pieces.size(), data_.documents(), [&](std::size_t p) {
    for (const std::uint32_t d : partition_.part(pieces[p].begin, pieces[p].end))
      leaf_of[d] = static_cast<std::uint32_t>(pieces[p].leaf);
  });
  if (target.sample)
    walk_others(BinnedTree{data_, tree_, splits_}, *target.sample, leaf_of, context_.pool);
}

TreeBuilder::TreeBuilder(const BinnedDataset& data, TreeOptions options, Context& context)
    : state_(std::make_unique<State>(data, std::move(options), context)) {}

TreeBuilder::~TreeBuilder() = default;

Tree TreeBuilder::build(const TreeTarget& target, std::span<std::uint32_t> leaf_of) {
  return state_->build(target, leaf_of);
}

}  // namespace podium
