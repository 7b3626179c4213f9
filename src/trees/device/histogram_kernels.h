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
// Slices write tables, which are then folded into the leaf's histogram (fold_search_kernel.h).
// Entries of sparse rows are added in global memory.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/derivative_kernels.h"
#include "trees/device/device_bins.h"
#include "trees/quantized_derivatives.h"

namespace podium {

// The sums of a group's bins over a slice of up to kMostSliced documents.
constexpr unsigned kTableBins = BinRow::kWidth * 256;
struct SlicedTable {
  std::int32_t first[kTableBins];
  std::uint32_t second[kTableBins], documents[kTableBins];
};
constexpr std::uint64_t kMostSliced = std::uint64_t{1} << 20;
static_assert(kMostFirst * static_cast<std::int64_t>(kMostSliced) < std::int64_t{1} << 31);

struct AddRowsArgs {
  BinView bins;
  const std::uint32_t* groups;  // those in use
  std::uint32_t used_groups;
  const DeviceGroup* group_list;
  DocumentList documents;      // of the leaf
  const std::uint64_t* words;  // one per document of the data
  std::uint64_t slice;         // documents per slice
  SlicedTable* tables;         // slices × used groups
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

  struct Sums {
    std::int32_t first = 0;
    std::uint32_t second = 0, documents = 0;
  };
  struct Registers {
    Sums sums[kBinsAThread];
  };

  PODIUM_BOTH static void add_document(const Args& args, const DeviceGroup& group,
                                       std::uint32_t document, unsigned thread, std::uint32_t* low,
                                       std::uint32_t* high) {
    const BinRow row = args.bins.row(group, document);
    const DerivativeSums one = unpack(args.words[document]);
    const std::uint64_t packed =
        (static_cast<std::uint64_t>(one.first) << (kDocumentBits + kSecondBits)) +
        (static_cast<std::uint64_t>(one.second) << kDocumentBits) + 1;
    const auto low_part = static_cast<std::uint32_t>(packed);
    const auto high_part = static_cast<std::uint32_t>(packed >> 32);
    // Neighbouring threads begin with different columns: they meet in a bin less often.
    for (unsigned k = 0; k < BinRow::kWidth; ++k) {
      const unsigned c = (k + thread) % BinRow::kWidth;
      const std::uint32_t bin = row.bin(c);
      if (bin == group.passed_over.bin(c)) continue;
      const std::uint32_t before = add_atomically(low + c * 256 + bin, low_part);
      const std::uint32_t carried = before + low_part < before ? 1 : 0;
      add_atomically(high + c * 256 + bin, high_part + carried);
    }
  }

  PODIUM_BOTH static void empty_bin(std::uint32_t& low, std::uint32_t& high, Sums& into) {
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
    const DeviceGroup group = args.group_list[args.groups[used]];
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
          add_document(args, group, args.documents[i], thread, low, high);
      });
      block.each([&](unsigned thread) {
        Registers& own = registers[thread];
        for (unsigned k = 0; k < kBinsAThread; ++k)
          empty_bin(low[k * kThreads + thread], high[k * kThreads + thread], own.sums[k]);
      });
    }
    block.each([&](unsigned thread) {
      SlicedTable& table = args.tables[block.index()];
      for (unsigned k = 0; k < kBinsAThread; ++k) {
        const Sums& sums = registers[thread].sums[k];
        table.first[k * kThreads + thread] = sums.first;
        table.second[k * kThreads + thread] = sums.second;
        table.documents[k * kThreads + thread] = sums.documents;
      }
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
  const std::uint64_t* words;  // one per document of the data
  SparseSums* sums;            // by entry; added to
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
      const DerivativeSums one = unpack(args.words[document]);
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
