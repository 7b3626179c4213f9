// The kernel between the sums of a leaf's slices and the best splits of leaves, one block per
// column in use:
//
//   fold      the tables of the slices (histogram_kernels.h) become the column's part of the leaf's
//             histogram, and a parent's histogram less it becomes that of the sibling;
//   search    the best split of the column for each leaf, by the arithmetic of split_scale.h, if
//             the column is a number; bins are scored side by side. Of equal scores the lowest bin
//             wins, then the split that sends missing values right, as if they were tried in this
//             order;
//   pick      the last block to finish compares the columns. Of equal gains the first one wins.
//
// A part may be left out. Half of the threads fold half of the slices, and search one of two
// leaves.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/device_bins.h"
#include "trees/device/histogram_kernels.h"
#include "trees/split_scale.h"

namespace podium {

struct FoundSplit {
  double gain = 0;  // 0: there is none
  std::uint32_t column = 0, bin = 0;
  std::uint64_t missing_left = 0;  // 0 or 1; as wide as it is, nothing lies unwritten between
  DerivativeSums left;
};

// A leaf to search.
struct SearchedLeaf {
  const DerivativeSums* histogram = nullptr;
  DerivativeSums sums;
  SplitScale scale;
  const char* allowed = nullptr;  // by column; null: all
};

constexpr unsigned kMostSearched = 2;  // leaves at a time

// What is folded.
struct FoldedLeaf {
  DerivativeSums* histogram = nullptr;  // null: nothing is
  DerivativeSums* parent = nullptr;     // becomes parent − histogram; null: none
  const SlicedTable* tables = nullptr;
  std::uint32_t slices = 0, used_groups = 0;
  const std::uint32_t* place_of_group = nullptr;  // among the groups in use
  const SparseSums* sparse = nullptr;
  const DerivativeSums* total = nullptr;  // of the leaf's documents
};

struct FoldSearchArgs {
  const DeviceColumn* columns;
  const std::uint32_t* used;  // columns, one per block
  FoldedLeaf fold;
  SearchedLeaf leaves[kMostSearched];
  std::uint32_t leaf_count;
  bool is_free;  // no monotone constraints
  double gain_unit, min_gain;
  FoundSplit* found;    // leaves × columns in use
  FoundSplit* best;     // one per leaf
  std::uint32_t* come;  // 0
};

struct FoldSearchKernel {
  static constexpr const char* kName = "tree_fold_search";
  static constexpr unsigned kHalf = 256;  // threads: one per bin of a dense column
  static constexpr unsigned kThreads = 2 * kHalf;
  static_assert(kMostSearched * kHalf == kThreads);
  using Args = FoldSearchArgs;

  // A split after a bin.
  struct Cut {
    double score;
    std::uint32_t bin, missing_left;

    // Whether it is chosen rather than the other one.
    PODIUM_BOTH bool beats(const Cut& other) const {
      if (score != other.score) return score > other.score;
      return bin != other.bin ? bin < other.bin : missing_left < other.missing_left;
    }
  };
  // A column for a leaf.
  struct Candidate {
    double gain;
    std::uint32_t place;

    PODIUM_BOTH bool beats(const Candidate& other) const {
      return gain != other.gain ? gain > other.gain : place < other.place;
    }
  };
  static constexpr std::size_t kSharedBytes =
      kThreads * (2 * sizeof(DerivativeSums) + sizeof(Cut)) + sizeof(std::uint32_t);
  static_assert(sizeof(Candidate) <= sizeof(Cut) && kSharedBytes <= kMostShared);

  PODIUM_BOTH static SearchedLeaf leaf_of(const Args& args, unsigned half) {
    SearchedLeaf leaf = args.leaves[0];  // no index: arguments are in registers
    if (half != 0) leaf = args.leaves[1];
    return leaf;
  }

  // A dense bin's sum over every second slice.
  PODIUM_BOTH static DerivativeSums sum_of_half(const DeviceColumn& column, std::uint32_t bin,
                                                unsigned half, const FoldedLeaf& fold) {
    DerivativeSums sum;
    if (bin >= column.bins || bin == column.passed_over) return sum;
    const std::uint32_t place = fold.place_of_group[column.group];
    const std::uint32_t at = column.place * 256 + bin;
    for (std::uint32_t slice = half; slice < fold.slices; slice += 2) {
      const SlicedTable& table = fold.tables[std::uint64_t{slice} * fold.used_groups + place];
      sum += {table.first[at], table.second[at], table.documents[at]};
    }
    return sum;
  }

  PODIUM_BOTH static DerivativeSums sum_of_sparse(const DeviceColumn& column, std::uint32_t bin,
                                                  const FoldedLeaf& fold) {
    if (bin == column.passed_over) return {};
    const SparseSums& sums = fold.sparse[column.sparse_begin + bin];
    constexpr std::uint64_t kDocuments = (std::uint64_t{1} << SparseSums::kDocumentBits) - 1;
    return {sums.first, static_cast<std::int64_t>(sums.rest >> SparseSums::kDocumentBits),
            static_cast<std::int64_t>(sums.rest & kDocuments)};
  }

  PODIUM_BOTH static void store(const DerivativeSums& sum, std::uint32_t bin,
                                const FoldedLeaf& fold) {
    fold.histogram[bin] = sum;
    if (fold.parent) fold.parent[bin] -= sum;
  }

  // What is passed over is the rest of the leaf.
  template <class Block>
  PODIUM_BOTH static void fold_column(Block& block, const DeviceColumn& column,
                                      const FoldedLeaf& fold, DerivativeSums* shared) {
    typename Block::template PerThread<DerivativeSums> added;
    if (column.is_sparse()) {
      block.each([&](unsigned thread) {
        DerivativeSums all;
        for (std::uint32_t bin = thread; bin < column.bins; bin += kThreads) {
          if (bin == column.passed_over) continue;
          const DerivativeSums sum = sum_of_sparse(column, bin, fold);
          all += sum;
          store(sum, column.first_bin + bin, fold);
        }
        added[thread] = all;
      });
    } else {
      block.each([&](unsigned thread) {
        added[thread] = sum_of_half(column, thread % kHalf, thread / kHalf, fold);
        shared[thread] = added[thread];
      });
      block.each([&](unsigned thread) {
        if (thread < column.bins && thread < kHalf && thread != column.passed_over)
          store(shared[thread] + shared[thread + kHalf], column.first_bin + thread, fold);
      });
    }
    sum_threads<kThreads>(block, added, shared);
    block.each([&](unsigned thread) {
      if (thread == 0) store(*fold.total - shared[0], column.first_bin + column.passed_over, fold);
    });
  }

  PODIUM_BOTH static double score(const Args& args, const SearchedLeaf& leaf,
                                  const DeviceColumn& column, const DerivativeSums& left) {
    const DerivativeSums right = leaf.sums - left;
    if (!leaf.scale.allows(left) || !leaf.scale.allows(right)) return kForbiddenSplit;
    const double found = args.is_free ? free_score(leaf.scale, left, right)
                                      : bounded_score(leaf.scale, column.direction, left, right);
    return found > kForbiddenSplit ? found : kForbiddenSplit;  // not a number: none
  }

  // The best of each half of the threads: best[0] and best[kHalf], after this.
  template <class Block, class T>
  PODIUM_BOTH static void choose(Block& block, T* best) {
    for (unsigned width = kHalf / 2; width > 0; width /= 2)
      block.each([&](unsigned thread) {
        if (thread % kHalf < width && best[thread + width].beats(best[thread]))
          best[thread] = best[thread + width];
      });
  }

  PODIUM_BOTH static FoundSplit found_split(const Args& args, const SearchedLeaf& leaf,
                                            std::uint32_t column, const Cut& cut,
                                            const DerivativeSums* lefts,
                                            const DerivativeSums& missing) {
    FoundSplit found;
    if ((leaf.allowed && leaf.allowed[column] == 0) || !(cut.score > kForbiddenSplit)) return found;
    const double gain =
        gain_of(net_score(leaf.scale, leaf.sums, cut.score, args.is_free), args.gain_unit);
    if (!(gain > args.min_gain)) return found;
    found.gain = gain;
    found.column = column;
    found.bin = cut.bin;
    found.left = lefts[cut.bin];
    if (cut.missing_left) found.left += missing;
    found.missing_left =
        missing.documents > 0 ? cut.missing_left : 2 * found.left.documents >= leaf.sums.documents;
    return found;
  }

  template <class Block>
  PODIUM_BOTH static void search(Block& block, const Args& args, std::uint32_t number,
                                 const DeviceColumn& column, DerivativeSums* shared, Cut* cuts) {
    typename Block::template PerThread<DerivativeSums> own;
    const auto bins_of = [&](unsigned half) {
      return (half == 0 ? args.leaves[0] : args.leaves[1]).histogram + column.first_bin;
    };
    const auto missing_of = [&](unsigned half) {
      return column.has_missing ? bins_of(half)[column.value_bins] : DerivativeSums{};
    };
    block.each([&](unsigned thread) {
      const unsigned half = thread / kHalf, bin = thread % kHalf;
      own[thread] =
          half < args.leaf_count && bin < column.value_bins ? bins_of(half)[bin] : DerivativeSums{};
    });
    const DerivativeSums* const lefts = run_sums<kThreads, kHalf>(block, own, shared);
    block.each([&](unsigned thread) {
      const unsigned half = thread / kHalf, bin = thread % kHalf;
      Cut best{kForbiddenSplit, bin, 0};
      if (half < args.leaf_count && bin < column.value_bins && own[thread].documents > 0) {
        const SearchedLeaf leaf = leaf_of(args, half);
        const DerivativeSums missing = missing_of(half);
        best.score = score(args, leaf, column, lefts[thread]);
        if (missing.documents > 0) {
          const Cut other{score(args, leaf, column, lefts[thread] + missing), bin, 1};
          if (other.beats(best)) best = other;
        }
      }
      cuts[thread] = best;
    });
    choose(block, cuts);
    block.each([&](unsigned thread) {
      const unsigned half = thread / kHalf;
      if (thread % kHalf != 0 || half >= args.leaf_count) return;
      args.found[half * block.blocks() + block.index()] = found_split(
          args, leaf_of(args, half), number, cuts[thread], lefts + thread, missing_of(half));
    });
  }

  template <class Block>
  PODIUM_BOTH static void pick(Block& block, const Args& args, Candidate* best) {
    const std::uint32_t count = block.blocks();
    block.each([&](unsigned thread) {
      const unsigned half = thread / kHalf;
      Candidate own{0, 0xFFFFFFFF};
      if (half < args.leaf_count)
        for (std::uint32_t i = thread % kHalf; i < count; i += kHalf)
          if (const Candidate next{args.found[half * count + i].gain, i}; next.beats(own))
            own = next;
      best[thread] = own;
    });
    choose(block, best);
    block.each([&](unsigned thread) {
      const unsigned half = thread / kHalf;
      if (thread % kHalf != 0 || half >= args.leaf_count) return;
      args.best[half] =
          best[thread].gain > 0 ? args.found[half * count + best[thread].place] : FoundSplit{};
    });
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint32_t number = args.used[block.index()];
    const DeviceColumn column = args.columns[number];
    auto* const shared = block.template shared<DerivativeSums>();
    auto* const cuts = block.template shared<Cut>(2 * kThreads * sizeof(DerivativeSums));
    if (args.fold.histogram) fold_column(block, column, args.fold, shared);
    if (args.leaf_count == 0) return;
    if (column.is_category) {
      block.each([&](unsigned thread) {
        if (thread < args.leaf_count)
          args.found[thread * block.blocks() + block.index()] = FoundSplit{};
      });
    } else {
      search(block, args, number, column, shared, cuts);
    }
    auto* const flag = block.template shared<std::uint32_t>(kSharedBytes - sizeof(std::uint32_t));
    if (is_last_block(block, args.come, flag))
      pick(block, args, block.template shared<Candidate>());
  }
};

}  // namespace podium
