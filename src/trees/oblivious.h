// Oblivious trees [Langley94, Prokhorenkova18]: one test per level, the same for all leaves,
//
//   argmax over (feature, bin, side of missing values) of  Σ over leaves of their gains
//
// (level_search.h). So a tree of depth D has at most 2ᴰ leaves, found by D comparisons that do not
// depend on each other, and few of its splits can follow noise, because each serves all leaves.
//
// A leaf that the test must not divide (too few documents or too little curvature on a side, the
// wrong order on a monotone feature) or does not gain by it stays one leaf, and counts 0 in the
// sum; the next levels may divide it. So ‹min-docs› holds for every leaf, no leaf is empty, and the
// tree has a node only where there are documents on both sides: paths may lack some of the levels.
// A feature that a level has used is part of all branches for ‹interactions›.
#pragma once

#include "trees/level_search.h"
#include "trees/tree_shape.h"

namespace podium {

class Oblivious final : public TreeShape {
 public:
  // Throws an Error if a column is a category, too.
  Oblivious(const BinnedDataset& data, TreeOptions options, Context& context);

 private:
  void grow_leaves() override;
  void find_splits_of(std::span<Leaf* const> leaves, const Unfinished& unfinished) override;
  bool add_level(int level);
  SplitProblem problem(Leaf& leaf, std::span<const std::uint32_t> columns);
  void divide_level();
  Split find_level();
  void choose_splits(Split level);
  void end_level(int next);

  LevelSearch search_;
  Interactions::Branch branch_;  // of all leaves
};

}  // namespace podium
