// The best split of a leaf, from its histogram. In units of the quantised derivatives
//
//   2 · gain = s(G_l, H_l) + s(G_r, H_r) − s(G, H),   s(G, H) = −(2 G w + (H + λ) w²)
//
// where w is the side's value: −G/(H + λ), for which s = G²/(H + λ), or the nearest number that
// monotone constraints allow. Of equal gains the lowest feature wins, then the lowest bin.
//
// Missing values go to the side with the larger gain; if the leaf has none, to the side with more
// documents, the left one if equal. Categories: see category_splits.h.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "podium/model.h"
#include "podium/thread_pool.h"
#include "trees/histogram.h"

namespace podium {

// The bounds of the leaf values in a subtree.
struct ValueBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

struct SplitRules {
  double first_unit = 1;
  double second_unit = 1;
  double l2 = 0;
  double category_l2 = 0;
  double min_curvature = 0;
  double min_gain = 0;
  std::int64_t min_docs = 1;
  // Of the tree, over all ranks: the leaf that has them all is the first. 0: no leaf is.
  std::int64_t documents = 0;
  std::span<const std::int8_t> monotone = {};  // one per feature of the data; empty: none
};

struct Split {
  double gain = 0;  // 0: there is none
  std::uint32_t column = 0;
  std::uint32_t bin = 0;  // the last one on the left; of a category see category_splits.h
  Tree::Node::Missing missing = Tree::Node::Missing::left;
  DerivativeSums left = {};
  std::vector<std::uint32_t> left_bins = {};  // of a category, ascending

  bool found() const { return gain > 0; }
};

// A leaf to split, with sums over all ranks.
struct SplitProblem {
  ConstHistogram histogram;
  DerivativeSums sums;
  ValueBounds bounds;
  std::span<const char> allowed = {};  // whether a column may be used; empty: all
};

class SplitFinder {
 public:
  explicit SplitFinder(const BinnedDataset& data) : data_(data) {}

  // Prepares the next tree: its rules, and the columns that splits may use, ascending.
  void prepare(const SplitRules& rules, std::vector<std::uint32_t> columns);

  std::span<const std::uint32_t> columns() const { return columns_; }
  const SplitRules& rules() const { return rules_; }

  // One split per problem. Each column is prepared before it is searched, in the same task; no
  // preparation: the histograms are complete.
  using PrepareColumn = std::function<void(std::uint32_t column)>;
  std::vector<Split> best(std::span<const SplitProblem> problems, ThreadPool& pool,
                          const PrepareColumn& prepare_column = {}) const;

  // The same among some of the columns.
  std::vector<Split> best_among(std::span<const std::uint32_t> columns,
                                std::span<const SplitProblem> problems, ThreadPool& pool,
                                const PrepareColumn& prepare_column = {}) const;

  // Of a column's feature: +1, −1, or 0.
  int direction(std::uint32_t column) const;

  // The bounds that a split gives to the leaves on its two sides.
  struct ChildBounds {
    ValueBounds left, right;
  };
  ChildBounds child_bounds(const Split& split, const DerivativeSums& sums,
                           const ValueBounds& bounds) const;

 private:
  Split best_of(std::uint32_t column, const SplitProblem& problem) const;
  bool is_first(const SplitProblem& problem) const {
    return problem.sums.documents == rules_.documents;
  }
  // What best_category_split() is told of the first leaf; empty for few values.
  std::span<const double> usual(std::uint32_t column, const SplitProblem& problem) const;
  Split finished(Split split, std::uint32_t column) const;

  const BinnedDataset& data_;
  SplitRules rules_;
  std::vector<std::uint32_t> columns_;
  // Of the categories, by bin; empty without them. A column's part is written when the first leaf
  // is searched, by the task that has the column.
  mutable std::vector<double> usual_;
};

}  // namespace podium
