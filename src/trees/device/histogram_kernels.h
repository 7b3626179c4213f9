// Kernels that sum histograms: for each bin of each column, the sums of the rounded derivatives
// over the documents of a leaf that are in it.
//
// A block of threads adds up a slice of the documents for one group of columns, in shared memory. A
// bin is one 64-bit number,
//
//   first · 2³⁸ + second · 2¹⁴ + documents,
//
// in two 32-bit halves, because GPUs add those in shared memory by themselves; what the lower half
// overflows is added to the upper one. No field overflows within kStretch documents; after each
// stretch the threads empty the table into registers. The most frequent bin of each column is
// passed over: threads would wait for each other there, and it is what remains of the leaf.
//
// Slices write tables, which are then folded, column by column, into the leaf's histogram. Entries
// of sparse rows are added in global memory.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/derivative_kernels.h"
#include "trees/device/device_bins.h"
#include "trees/quantized_derivatives.h"

namespace podium {

// The sums of a bin over a slice of up to kMostSliced documents.
struct SlicedSums {
  std::int32_t first;
  std::uint32_t second, documents;
};
constexpr std::uint64_t kMostSliced = std::uint64_t{1} << 20;
static_assert(kMostFirst * static_cast<std::int64_t>(kMostSliced) < std::int64_t{1} << 31);
constexpr unsigned kTableBins = BinRow::kWidth * 256;  // of a group

struct AddRowsArgs {
  BinView bins;
  const std::uint32_t* groups;  // those in use
  std::uint32_t used_groups;
  const BinRow* passed_over;   // one per group
  DocumentList documents;      // of the leaf
  const std::uint64_t* words;  // in the order of the leaf
  std::uint64_t slice;         // documents per slice
  SlicedSums* tables;          // slices × used groups × kTableBins
};
struct AddRowsKernel {
  static constexpr const char* kName = "tree_add_rows";
  static constexpr unsigned kThreads = 512;
  static constexpr unsigned kBlocksAtOnce = 2;
  static constexpr unsigned kBinsAThread = kTableBins / kThreads;
  static constexpr std::size_t kSharedBytes = 2 * kTableBins * sizeof(std::uint32_t);
  using Args = AddRowsArgs;

  static constexpr std::uint64_t kStretch = 8192;
  static constexpr int kDocumentBits = 14, kSecondBits = 24;
  static_assert(kStretch < std::uint64_t{1} << kDocumentBits);
  static_assert(kMostSecond * static_cast<std::int64_t>(kStretch) < std::int64_t{1} << kSecondBits);
  static_assert(kMostFirst * static_cast<std::int64_t>(kStretch) <
                std::int64_t{1} << (63 - kDocumentBits - kSecondBits));

  struct Registers {
    SlicedSums sums[kBinsAThread];
  };

  PODIUM_BOTH static void add_row(const BinRow& row, const BinRow& passed_over, std::uint64_t word,
                                  unsigned thread, std::uint32_t* low, std::uint32_t* high) {
    const DerivativeSums one = unpack(word);
    const std::uint64_t packed =
        (static_cast<std::uint64_t>(one.first) << (kDocumentBits + kSecondBits)) +
        (static_cast<std::uint64_t>(one.second) << kDocumentBits) + 1;
    const auto low_part = static_cast<std::uint32_t>(packed);
    const auto high_part = static_cast<std::uint32_t>(packed >> 32);
    // Neighbouring threads begin with different columns: they meet in a bin less often.
    for (unsigned k = 0; k < BinRow::kWidth; ++k) {
      const unsigned c = (k + thread) % BinRow::kWidth;
      const std::uint32_t bin = row.bin(c);
      if (bin == passed_over.bin(c)) continue;
      const std::uint32_t before = add_atomically(low + c * 256 + bin, low_part);
      const std::uint32_t carried = before + low_part < before ? 1 : 0;
      add_atomically(high + c * 256 + bin, high_part + carried);
    }
  }

  PODIUM_BOTH static void empty_bin(std::uint32_t& low, std::uint32_t& high, SlicedSums& into) {
    const std::uint64_t packed = std::uint64_t{high} << 32 | low;
    into.first += static_cast<std::int32_t>(static_cast<std::int64_t>(packed) >>
                                            (kDocumentBits + kSecondBits));
    into.second += static_cast<std::uint32_t>(packed >> kDocumentBits &
                                              ((std::uint64_t{1} << kSecondBits) - 1));
    into.documents +=
        static_cast<std::uint32_t>(packed & ((std::uint64_t{1} << kDocumentBits) - 1));
    low = high = 0;
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    auto* const low = block.template shared<std::uint32_t>();
    std::uint32_t* const high = low + kTableBins;
    const std::uint32_t used = block.index() % args.used_groups;
    const std::uint32_t slice = block.index() / args.used_groups;
    const std::uint32_t group = args.groups[used];
    const BinRow* const rows = args.bins.group(group);
    const BinRow passed_over = args.passed_over[group];
    const std::uint64_t begin = slice * args.slice;
    const std::uint64_t end =
        begin + args.slice < args.documents.count ? begin + args.slice : args.documents.count;
    typename Block::template PerThread<Registers> registers;
    block.each([&](unsigned thread) {
      for (unsigned b = thread; b < 2 * kTableBins; b += kThreads) low[b] = 0;
      registers[thread] = {};
    });
    for (std::uint64_t from = begin; from < end; from += kStretch) {
      const std::uint64_t to = from + kStretch < end ? from + kStretch : end;
      block.each([&](unsigned thread) {
        for (std::uint64_t i = from + thread; i < to; i += kThreads)
          add_row(rows[args.documents[i]], passed_over, args.words[i], thread, low, high);
      });
      block.each([&](unsigned thread) {
        Registers& own = registers[thread];
        for (unsigned k = 0; k < kBinsAThread; ++k)
          empty_bin(low[k * kThreads + thread], high[k * kThreads + thread], own.sums[k]);
      });
    }
    block.each([&](unsigned thread) {
      SlicedSums* const table = args.tables + std::uint64_t{block.index()} * kTableBins;
      for (unsigned k = 0; k < kBinsAThread; ++k)
        table[k * kThreads + thread] = registers[thread].sums[k];
    });
  }
};

// A sum over sparse entries: first, and second · 2²⁸ + documents.
struct SparseSums {
  static constexpr int kDocumentBits = 28;
  std::int64_t first;
  std::uint64_t rest;
};
constexpr std::uint64_t kMostSparseDocuments = std::uint64_t{1} << 26;
static_assert(kMostSecond * kMostSparseDocuments < std::uint64_t{1} << 36);

struct AddSparseArgs {
  BinView bins;
  DocumentList documents;
  const std::uint64_t* words;
  SparseSums* sums;  // by entry; added to
};
struct AddSparseKernel {
  static constexpr const char* kName = "tree_add_sparse";
  static constexpr unsigned kThreads = 256;
  using Args = AddSparseArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i >= args.documents.count) return;
      const std::uint32_t document = args.documents[i];
      const DerivativeSums one = unpack(args.words[i]);
      const std::uint64_t rest =
          (static_cast<std::uint64_t>(one.second) << SparseSums::kDocumentBits) + 1;
      const std::uint64_t end = args.bins.sparse_begin[document + 1];
      for (std::uint64_t e = args.bins.sparse_begin[document]; e < end; ++e) {
        SparseSums& sums = args.sums[args.bins.sparse_entries[e]];
        add_atomically(&sums.first, one.first);
        add_atomically(&sums.rest, rest);
      }
    });
  }
};

// Folds tables into a histogram, one block per column in use, and makes the difference to a parent.
struct FoldArgs {
  const DeviceColumn* columns;
  const std::uint32_t* used;            // columns
  const std::uint32_t* place_of_group;  // among the groups in use
  std::uint32_t used_groups;
  const SlicedSums* tables;
  std::uint32_t slices;
  const SparseSums* sparse;
  const DerivativeSums* total;  // of the leaf's documents
  DerivativeSums* histogram;
  DerivativeSums* parent;  // becomes parent − histogram; null: none
};
struct FoldKernel {
  static constexpr const char* kName = "tree_fold";
  static constexpr unsigned kThreads = 256;
  using Args = FoldArgs;

  PODIUM_BOTH static DerivativeSums sum_of(const DeviceColumn& column, std::uint32_t bin,
                                           const Args& args) {
    if (bin == column.passed_over) return {};
    if (column.is_sparse()) {
      const SparseSums& sums = args.sparse[column.sparse_begin + bin];
      constexpr std::uint64_t kDocuments = (std::uint64_t{1} << SparseSums::kDocumentBits) - 1;
      return {sums.first, static_cast<std::int64_t>(sums.rest >> SparseSums::kDocumentBits),
              static_cast<std::int64_t>(sums.rest & kDocuments)};
    }
    DerivativeSums sum;
    const std::uint64_t first =
        args.place_of_group[column.group] * std::uint64_t{kTableBins} + column.place * 256 + bin;
    for (std::uint32_t slice = 0; slice < args.slices; ++slice) {
      const SlicedSums& part =
          args.tables[first + std::uint64_t{slice} * args.used_groups * kTableBins];
      sum += {part.first, part.second, part.documents};
    }
    return sum;
  }

  PODIUM_BOTH static void store(const DerivativeSums& sum, std::uint32_t bin, const Args& args) {
    args.histogram[bin] = sum;
    if (args.parent) args.parent[bin] -= sum;
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const DeviceColumn column = args.columns[args.used[block.index()]];
    typename Block::template PerThread<DerivativeSums> added;
    block.each([&](unsigned thread) {
      DerivativeSums all;
      for (std::uint32_t bin = thread; bin < column.bins; bin += kThreads) {
        if (bin == column.passed_over) continue;
        const DerivativeSums sum = sum_of(column, bin, args);
        all += sum;
        store(sum, column.first_bin + bin, args);
      }
      added[thread] = all;
    });
    auto* const shared = block.template shared<DerivativeSums>();
    sum_threads<kThreads>(block, added, shared);
    block.each([&](unsigned thread) {
      if (thread == 0) store(*args.total - shared[0], column.first_bin + column.passed_over, args);
    });
  }
};

// parent −= child, by bin.
struct SubtractArgs {
  DerivativeSums* parent;
  const DerivativeSums* child;
  std::uint64_t bins;
};
struct SubtractKernel {
  static constexpr const char* kName = "tree_subtract";
  static constexpr unsigned kThreads = 256;
  using Args = SubtractArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t b = std::uint64_t{kThreads} * block.index() + thread;
      if (b < args.bins) args.parent[b] -= args.child[b];
    });
  }
};

}  // namespace podium
