// What growing a tree needs of the documents: rounding their derivatives, moving them to leaves,
// histograms of leaves, and the best splits of histograms. Which leaf is split and what follows
// from it is decided once, in tree_shape.h; an engine does what takes time, on its device.
//
// The contract, for every engine: the same numbers, bit for bit. They are integers, or doubles by
// the arithmetic of split_scale.h and leaf_values.h.
//
// Histograms have numbers, 0 … HistogramSlots::most() − 1; an engine makes room for one when it is
// first filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trees/document_partition.h"
#include "trees/leaf_values.h"
#include "trees/split_finder.h"

namespace podium {

// A leaf whose best split is wanted; see SplitProblem.
struct LeafSearch {
  std::size_t histogram = 0;
  DerivativeSums sums;
  ValueBounds bounds;
  std::span<const char> allowed = {};
};

// What is left to do before histograms are searched.
struct Unfinished {
  std::optional<std::size_t> incomplete = {};  // the histogram that add() filled last
  // Afterwards: the parent's histogram less that of one child becomes that of the other.
  struct Difference {
    std::size_t parent, child;
  };
  std::optional<Difference> difference = {};
};

class TreeEngine {
 public:
  virtual ~TreeEngine() = default;

  // The derivatives of the next tree, rounded. `documents`: those of this rank to learn from.
  struct Root {
    double first_unit = 0, second_unit = 1;  // 0: all first derivatives are 0
    std::size_t documents = 0;
    std::int64_t documents_of_all = 0;  // of all ranks
  };
  virtual Root start() = 0;
  // The columns that the tree may use, ascending; the bins of others stay undefined.
  virtual void use_columns(std::span<const std::uint32_t> columns) = 0;

  // Moves the documents of a leaf, the left ones to the front; returns their number on this rank.
  // `gathered`: the child whose words add() will need.
  virtual std::size_t split(const LeafSplit& split, std::optional<ChildSide> gathered) = 0;
  // The words of a leaf, for add().
  virtual void gather(const LeafRange& leaf) = 0;

  // Sums the documents of this rank whose words were gathered last into a histogram. complete() is
  // left to do, by itself or as part of search().
  virtual void add(const LeafRange& leaf, std::size_t histogram) = 0;
  virtual void complete(std::size_t histogram) = 0;
  // The sums over these documents.
  virtual DerivativeSums total() = 0;
  // Complete histograms, of the columns in use, become the sums over all ranks, with one exchange.
  struct RankedHistogram {
    std::size_t number = 0;
    std::int64_t documents = 0;  // of the leaf, over all ranks
  };
  virtual void add_ranks(std::span<const RankedHistogram> histograms) = 0;
  // Whether leaves may be divided that are never split.
  virtual bool divides_ahead() const = 0;

  // The best split of each leaf, after what is unfinished has been done.
  virtual std::vector<Split> search(const SplitFinder& finder, std::span<const LeafSearch> leaves,
                                    const Unfinished& unfinished) = 0;

  // What is unfinished, alone.
  virtual void finish(const Unfinished& unfinished) = 0;
  // A complete histogram, with the bins of these columns; valid until the next call.
  virtual ConstHistogram on_host(std::size_t histogram, std::span<const std::uint32_t> columns) = 0;

  // The values of the leaves that were grown (leaf_values.h).
  virtual std::vector<double> leaf_values(std::span<const LeafRange> leaves, double l2) = 0;
};

}  // namespace podium
