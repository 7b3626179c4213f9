// The best test of a level of an oblivious tree (oblivious.h): the histograms of the leaves are
// added one after the other, in one order, and each adds its gain by every test
//
//   gain(leaf, test) = s(left) + s(right) − s(leaf),   0 where the rules do not allow it
//
// in units of the quantised derivatives (split_finder.h). Of equal sums the lowest feature wins,
// then the lowest bin, then missing values to the right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "podium/thread_pool.h"
#include "trees/split_finder.h"

namespace podium {

class LevelSearch {
 public:
  // The finder has the rules of the tree. All must outlive this object.
  LevelSearch(const BinnedDataset& data, const SplitFinder& finder, ThreadPool& pool)
      : data_(data), finder_(finder), pool_(pool) {}

  // A level without leaves. `allowed`: whether a column may be used; empty: all that the finder
  // has.
  void start(std::span<const char> allowed);
  std::span<const std::uint32_t> columns() const { return columns_; }
  void add(const SplitProblem& leaf);
  // The column, the bin and the side of missing values, with the sum of the gains.
  Split best() const;
  // Whether a leaf had missing values in this column; if none had, either side is right.
  bool has_missing(std::uint32_t column) const { return has_missing_[column] != 0; }

  // What the test does to one leaf; not found: it does not divide it.
  Split split_of(const SplitProblem& leaf, const Split& test) const;

 private:
  void add_column(std::uint32_t column, const SplitProblem& leaf);
  Split best_of(std::uint32_t column) const;

  const BinnedDataset& data_;
  const SplitFinder& finder_;
  ThreadPool& pool_;
  std::vector<std::uint32_t> columns_;
  std::vector<char> has_missing_;                     // by column
  std::vector<double> missing_right_, missing_left_;  // the sums of gains, by bin
};

}  // namespace podium
