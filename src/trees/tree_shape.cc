#include "trees/tree_shape.h"

#include <algorithm>
#include <array>
#include <utility>

#include "trees/draw_columns.h"
#include "trees/histogram_ranks.h"
#include "trees/leaf_wise.h"
#include "trees/oblivious.h"

namespace podium {

TreeShape::TreeShape(const BinnedDataset& data, TreeOptions options, Context& context)
    : data_(data),
      options_(std::move(options)),
      context_(context),
      finder_(data),
      interactions_(options_.interactions, data),
      slots_(data.total_bins(), options_.histogram_bytes) {
  check(options_, data.features());
}

GrownTree TreeShape::grow(TreeEngine& engine, std::uint64_t number) {
  engine_ = &engine;
  start(number);
  grow_leaves();
  return finish();
}

void TreeShape::start(std::uint64_t number) {
  const TreeEngine::Root derivatives = engine_->start();
  any_derivatives_ = derivatives.first_unit > 0;
  Leaf root;
  root.documents.end = derivatives.documents;
  root.sums.documents = derivatives.documents_of_all;
  auto columns = draw_columns(data_.columns(), options_.feature_fraction, context_.seed, number);
  engine_->use_columns(columns);
  const std::array any_column = {columns.empty() ? std::uint32_t{0} : columns[0]};
  finder_.prepare({.first_unit = derivatives.first_unit,
                   .second_unit = derivatives.second_unit,
                   .l2 = options_.l2,
                   .category_l2 = options_.category_l2,
                   .min_curvature = options_.min_curvature,
                   .min_gain = options_.min_gain,
                   .min_docs = options_.min_docs,
                   .documents = root.sums.documents,
                   .monotone = options_.monotone},
                  std::move(columns));
  grown_ = {};
  for_each_leaf([this](Leaf& leaf) { drop_histogram(leaf); });
  divisions_.clear();
  leaves_ = {root};
  if (!may_split(root)) return;
  Leaf& only = leaves_[0];
  engine_->gather(only.documents);
  add_documents(only);
  add_ranks();
  if (context_.comm.size() == 1)
    only.sums = engine_->total();
  else
    only.sums =
        total_of(data_.columns()[any_column[0]], engine_->on_host(*only.histogram, any_column));
  search(std::array{&only}, {.incomplete = incomplete(only)});
}

TreeShape::Children::Children(Division& division) : small(&division.left), large(&division.right) {
  if (small->sums.documents > large->sums.documents) std::swap(small, large);
}

TreeShape::Division TreeShape::children_of(const Leaf& parent) const {
  const auto bounds = finder_.child_bounds(parent.split, parent.sums, parent.bounds);
  Division children;
  auto& [left, right] = children;
  left.sums = parent.split.left;
  right.sums = parent.sums - parent.split.left;
  left.depth = right.depth = parent.depth + 1;
  left.bounds = bounds.left;
  right.bounds = bounds.right;
  left.branch = right.branch = interactions_.after(parent.branch, parent.split.column);
  right.side = ChildSide::right;
  return children;
}

void TreeShape::divide(std::span<Leaf* const> leaves) {
  std::vector<Children> all;
  for (Leaf* const leaf : leaves) {
    leaf->division = &divisions_.emplace_back(children_of(*leaf));
    Children& children = all.emplace_back(*leaf->division);
    move_documents(*leaf, children);
    add_smaller(*leaf, children);
  }
  add_ranks();
  for (const Children& children : all) find_splits(children);
}

// The left part keeps the leaf's number, the right one gets the next.
void TreeShape::split(std::size_t number) {
  const Leaf parent = leaves_[number];
  const std::size_t other = leaves_.size();
  Division& division = *parent.division;
  division.left.parent = division.right.parent =
      static_cast<std::int32_t>(grown_.tree.nodes.size());
  leaves_[number] = division.left;
  leaves_.push_back(division.right);
  division.left.histogram = division.right.histogram = {};  // leaves_ has them
  division.left.split = division.right.split = {};
  add_node(parent, number, other);
}

BinRoute TreeShape::route_of(const Split& split) const {
  const BinnedFeature& feature = data_.columns()[split.column];
  if (feature.is_category) return {feature, split.left_bins};
  return {feature, split.bin, split.missing == Tree::Node::Missing::left};
}

// The words of the smaller child, unless no histogram will be needed.
void TreeShape::move_documents(const Leaf& parent, const Children& children) {
  const WorkPhase phase(context_.pool, "moving documents");
  LeafSplit split{parent.documents.begin, parent.documents.end, parent.split.column,
                  route_of(parent.split)};
  if (context_.comm.size() == 1)
    split.lefts = static_cast<std::size_t>(parent.split.left.documents);
  std::optional<ChildSide> gathered;
  if (may_split(*children.large, leaves_.size() + 1)) gathered = children.small->side;
  const std::size_t lefts = engine_->split(split, gathered);
  for (Leaf* const leaf : {children.small, children.large}) {
    const std::size_t middle = parent.documents.begin + lefts;
    leaf->documents = leaf->side == ChildSide::left ? LeafRange{parent.documents.begin, middle}
                                                    : LeafRange{middle, parent.documents.end};
  }
}

void TreeShape::add_node(const Leaf& parent, std::size_t left, std::size_t right) {
  Tree& tree = grown_.tree;
  if (parent.parent >= 0) {
    Tree::Node& above = tree.nodes[static_cast<std::size_t>(parent.parent)];
    (parent.side == ChildSide::left ? above.left : above.right) =
        static_cast<std::int32_t>(tree.nodes.size());
  }
  const BinnedFeature& feature = data_.columns()[parent.split.column];
  tree.nodes.push_back({.feature = feature.feature,
                        .threshold = feature.threshold(parent.split.bin),
                        .missing = parent.split.missing,
                        .left = ~static_cast<std::int32_t>(left),
                        .right = ~static_cast<std::int32_t>(right),
                        .gain = parent.split.gain,
                        .documents = static_cast<std::uint64_t>(parent.sums.documents)});
  if (feature.is_category) {
    tree.categories.resize(tree.nodes.size());
    for (const std::uint32_t b : parent.split.left_bins)
      tree.categories.back().push_back(feature.codes[b]);
  }
  grown_.splits.push_back(parent.split);
}

// The smaller child's histogram is summed, and the larger one's is what the parent's leaves; when
// the parent's was dropped both are summed.
void TreeShape::add_smaller(Leaf& parent, Children& children) {
  const auto [small, large, unused] = children;
  if (!may_split(*large, leaves_.size() + 1)) return drop_histogram(parent);
  children.of_parent = large->histogram = std::exchange(parent.histogram, {});
  if (children.of_parent || may_split(*small, leaves_.size() + 1)) add_documents(*small);
}

void TreeShape::find_splits(const Children& children) {
  const auto [small, large, of_parent] = children;
  const std::array both = {small, large};
  if (of_parent) return search(both, {incomplete(*small), {{*of_parent, *small->histogram}}});
  if (!may_split(*large, leaves_.size() + 1)) return;
  if (const auto slot = incomplete(*small)) engine_->complete(*slot);
  engine_->gather(large->documents);
  add_documents(*large);
  add_ranks();
  search(both, {.incomplete = incomplete(*large)});
}

bool TreeShape::may_split(const Leaf& leaf, std::size_t leaves) const {
  return leaves < static_cast<std::size_t>(options_.leaves) &&
         (options_.max_depth == 0 || leaf.depth < options_.max_depth) &&
         leaf.sums.documents >= 2 * std::max<std::int64_t>(1, options_.min_docs) &&
         !data_.columns().empty() && any_derivatives_;
}

// If none is free, drops that of the leaf with the smallest gain, but none that is under way.
std::size_t TreeShape::take_histogram() {
  if (const auto slot = slots_.take()) return *slot;
  Leaf* last = nullptr;
  for_each_leaf([&last](Leaf& leaf) {
    if (leaf.histogram && leaf.is_ready && (!last || leaf.split.gain <= last->split.gain))
      last = &leaf;
  });
  return *std::exchange(last->histogram, {});
}

// Sums this rank's documents of a leaf, whose words have been gathered. What is left to do:
// complete() if this is the only rank, else add_ranks().
void TreeShape::add_documents(Leaf& leaf) {
  const WorkPhase phase(context_.pool, "histograms");
  leaf.histogram = take_histogram();
  engine_->add(leaf.documents, *leaf.histogram);
  if (context_.comm.size() == 1) return;
  engine_->complete(*leaf.histogram);
  to_exchange_.push_back({*leaf.histogram, leaf.sums.documents});
}

void TreeShape::add_ranks() {
  if (to_exchange_.empty()) return;
  const WorkPhase phase(context_.pool, "histograms");
  engine_->add_ranks(to_exchange_);
  to_exchange_.clear();
}

void TreeShape::sum_documents(Leaf& leaf) {
  engine_->gather(leaf.documents);
  leaf.is_ready = false;
  add_documents(leaf);
  if (const auto histogram = incomplete(leaf)) engine_->complete(*histogram);
  add_ranks();
  leaf.is_ready = true;
}

// The histogram of a leaf whose documents were added last, if it is left to complete.
std::optional<std::size_t> TreeShape::incomplete(const Leaf& leaf) const {
  return context_.comm.size() == 1 ? leaf.histogram : std::nullopt;
}

// Histograms that will not be needed are given back.
void TreeShape::search(std::span<Leaf* const> leaves, const Unfinished& unfinished) {
  const WorkPhase phase(context_.pool, "splits");
  find_splits_of(leaves, unfinished);
  for (Leaf* const leaf : leaves) leaf->is_ready = true;
}

void TreeShape::drop_histogram(Leaf& leaf) {
  if (leaf.histogram) slots_.give_back(*std::exchange(leaf.histogram, {}));
}

GrownTree TreeShape::finish() {
  const WorkPhase phase(context_.pool, "leaf values");
  Tree& tree = grown_.tree;
  if (!tree.categories.empty()) tree.categories.resize(tree.nodes.size());
  for (const Leaf& leaf : leaves_) {
    grown_.leaves.push_back(leaf.documents);
    tree.leaf_documents.push_back(static_cast<std::uint64_t>(leaf.sums.documents));
  }
  tree.values = engine_->leaf_values(grown_.leaves, options_.l2);
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    tree.values[leaf] =
        std::clamp(tree.values[leaf], leaves_[leaf].bounds.low, leaves_[leaf].bounds.high);
  return std::exchange(grown_, {});
}

std::unique_ptr<TreeShape> make_tree_shape(const BinnedDataset& data, TreeOptions options,
                                           Context& context) {
  if (options.shape == TreeOptions::Shape::oblivious)
    return std::make_unique<Oblivious>(data, std::move(options), context);
  return std::make_unique<LeafWise>(data, std::move(options), context);
}

}  // namespace podium
