// Kernels that search histograms: the best split of each column that is a number, by the arithmetic
// of split_scale.h, and then of each leaf. Bins are scored side by side; of equal scores the lowest
// bin wins, then the split that sends missing values right, as if they were tried in this order.
#pragma once

#include <cstdint>

#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/device_bins.h"
#include "trees/split_scale.h"

namespace podium {

struct FoundSplit {
  double gain = 0;  // 0: there is none
  std::uint32_t column = 0, bin = 0;
  std::uint32_t missing_left = 0;
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

struct SearchArgs {
  const DeviceColumn* columns;
  const std::uint32_t* searched;  // columns
  std::uint32_t count;
  SearchedLeaf leaves[kMostSearched];
  double gain_unit, min_gain;
  bool is_free;       // no monotone constraints
  FoundSplit* found;  // leaves × count
};
struct SearchKernel {
  static constexpr const char* kName = "tree_search";
  static constexpr unsigned kThreads = 256;  // one per bin
  using Args = SearchArgs;

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

  PODIUM_BOTH static double score(const Args& args, const SearchedLeaf& leaf,
                                  const DeviceColumn& column, const DerivativeSums& left) {
    const DerivativeSums right = leaf.sums - left;
    if (!leaf.scale.allows(left) || !leaf.scale.allows(right)) return kForbiddenSplit;
    const double found = args.is_free ? free_score(leaf.scale, left, right)
                                      : bounded_score(leaf.scale, column.direction, left, right);
    return found > kForbiddenSplit ? found : kForbiddenSplit;  // not a number: none
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint32_t place = block.index() % args.count;
    const std::uint32_t number = block.index() / args.count;
    const SearchedLeaf& leaf = args.leaves[number];
    const std::uint32_t searched = args.searched[place];
    const DeviceColumn column = args.columns[searched];
    const DerivativeSums* const bins = leaf.histogram + column.first_bin;
    const DerivativeSums missing = column.has_missing ? bins[column.value_bins] : DerivativeSums{};
    FoundSplit& out = args.found[std::uint64_t{number} * args.count + place];
    const bool is_allowed = !leaf.allowed || leaf.allowed[searched] != 0;

    typename Block::template PerThread<DerivativeSums> own;
    block.each([&](unsigned thread) {
      own[thread] = thread < column.value_bins ? bins[thread] : DerivativeSums{};
    });
    auto* const shared = block.template shared<DerivativeSums>();
    const DerivativeSums* const lefts = run_sums<kThreads>(block, own, shared);
    auto* const cuts = block.template shared<Cut>(2 * kThreads * sizeof(DerivativeSums));
    block.each([&](unsigned thread) {
      Cut best{kForbiddenSplit, thread, 0};
      if (thread < column.value_bins && own[thread].documents > 0) {
        best.score = score(args, leaf, column, lefts[thread]);
        if (missing.documents > 0) {
          const Cut other{score(args, leaf, column, lefts[thread] + missing), thread, 1};
          if (other.beats(best)) best = other;
        }
      }
      cuts[thread] = best;
    });
    for (unsigned half = kThreads / 2; half > 0; half /= 2)
      block.each([&](unsigned thread) {
        if (thread < half && cuts[thread + half].beats(cuts[thread]))
          cuts[thread] = cuts[thread + half];
      });
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      const Cut& cut = cuts[0];
      FoundSplit found;
      if (is_allowed && cut.score > kForbiddenSplit) {
        const double gain =
            gain_of(net_score(leaf.scale, leaf.sums, cut.score, args.is_free), args.gain_unit);
        if (gain > args.min_gain) {
          found.gain = gain;
          found.column = searched;
          found.bin = cut.bin;
          found.left = lefts[cut.bin];
          if (cut.missing_left) found.left += missing;
          found.missing_left = missing.documents > 0
                                   ? cut.missing_left
                                   : 2 * found.left.documents >= leaf.sums.documents;
        }
      }
      out = found;
    });
  }
};

// The best column of each leaf: one block per leaf. Of equal gains the first column.
struct PickArgs {
  const FoundSplit* found;  // leaves × count
  std::uint32_t count;
  FoundSplit* best;  // one per leaf
};
struct PickKernel {
  static constexpr const char* kName = "tree_pick";
  static constexpr unsigned kThreads = 256;
  using Args = PickArgs;
  struct Candidate {
    double gain;
    std::uint32_t place;
  };
  PODIUM_BOTH static bool beats(const Candidate& a, const Candidate& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.place < b.place;
  }
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    auto* const best = block.template shared<Candidate>();
    const FoundSplit* const found = args.found + std::uint64_t{block.index()} * args.count;
    block.each([&](unsigned thread) {
      Candidate own{0, 0xFFFFFFFF};
      for (std::uint32_t i = thread; i < args.count; i += kThreads)
        if (const Candidate next{found[i].gain, i}; beats(next, own)) own = next;
      best[thread] = own;
    });
    for (unsigned half = kThreads / 2; half > 0; half /= 2)
      block.each([&](unsigned thread) {
        if (thread < half && beats(best[thread + half], best[thread]))
          best[thread] = best[thread + half];
      });
    block.each([&](unsigned thread) {
      if (thread == 0)
        args.best[block.index()] = best[0].gain > 0 ? found[best[0].place] : FoundSplit{};
    });
  }
};

}  // namespace podium
