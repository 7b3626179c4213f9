#include "trees/oblivious.h"

#include <array>

#include "podium/error.h"

namespace podium {

Oblivious::Oblivious(const BinnedDataset& data, TreeOptions options, Context& context)
    : TreeShape(data, std::move(options), context), search_(data, finder_, context.pool) {
  options_.leaves = 1 << options_.max_depth;
  for (const BinnedFeature& column : data.columns())
    if (column.is_category)
      throw Error(ErrorCode::usage,
                  "‹oblivious› trees compare numbers only: encode the categories as numbers");
}

void Oblivious::grow_leaves() {
  branch_ = {};
  for (int level = 0; level < options_.max_depth && add_level(level); ++level) continue;
}

// False: no test gains anything.
bool Oblivious::add_level(int level) {
  const Split best = find_level();
  if (!best.found()) return false;
  choose_splits(best);
  branch_ = interactions_.after(branch_, best.column);
  divide_level();
  end_level(level + 1);
  return true;
}

// Together, so that ranks need one exchange for a level.
void Oblivious::divide_level() {
  std::vector<std::size_t> numbers;
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    if (leaves_[leaf].split.found()) numbers.push_back(leaf);
  const std::size_t together = divides_ahead() ? most_divided() : 1;
  for (std::size_t first = 0; first < numbers.size(); first += together) {
    const std::size_t last = std::min(numbers.size(), first + together);
    std::vector<Leaf*> some;
    for (std::size_t i = first; i < last; ++i) some.push_back(&leaves_[numbers[i]]);
    divide(some);
    for (std::size_t i = first; i < last; ++i) split(numbers[i]);
  }
}

// A leaf with the bins of some columns; its histogram is summed again if memory was short.
SplitProblem Oblivious::problem(Leaf& leaf, std::span<const std::uint32_t> columns) {
  if (!leaf.histogram) sum_documents(leaf);
  return {engine_->on_host(*leaf.histogram, columns), leaf.sums, leaf.bounds, {}};
}

Split Oblivious::find_level() {
  const WorkPhase phase(context_.pool, "splits");
  search_.start(branch_.allowed);
  for (Leaf& leaf : leaves_)
    if (may_split(leaf)) search_.add(problem(leaf, search_.columns()));
  return search_.best();
}

// What the test of a level does to each leaf. Without missing values in any leaf they go to the
// side with more documents, the left one if equal.
void Oblivious::choose_splits(Split level) {
  const std::array<std::uint32_t, 1> column = {level.column};
  std::int64_t left = 0, all = 0;
  for (Leaf& leaf : leaves_) {
    leaf.split = {};
    if (!may_split(leaf)) continue;
    leaf.split = search_.split_of(problem(leaf, column), level);
    left += leaf.split.left.documents;
    all += leaf.split.found() ? leaf.sums.documents : 0;
  }
  if (search_.has_missing(level.column)) return;
  for (Leaf& leaf : leaves_)
    leaf.split.missing = 2 * left >= all ? Tree::Node::Missing::left : Tree::Node::Missing::right;
}

// Leaves that were not divided are as deep as the others.
void Oblivious::end_level(int next) {
  for (Leaf& leaf : leaves_) {
    leaf.depth = next;
    leaf.split = {};
    if (!may_split(leaf)) drop_histogram(leaf);
  }
}

void Oblivious::find_splits_of(std::span<Leaf* const> leaves, const Unfinished& unfinished) {
  engine_->finish(unfinished);
  for (Leaf* const leaf : leaves)
    if (!may_split(*leaf)) drop_histogram(*leaf);
}

}  // namespace podium
