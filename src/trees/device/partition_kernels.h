// Kernels that move the documents of a leaf to its two children, and sum their words.
//
// A leaf's documents are in one of two arrays; its children's come to the same places of the other
// one. Chunks of documents count those that go left; then every chunk adds up the counts of those
// before it, and writes both sides in order. Long leaves have longer chunks, not more of them, so
// that there is never much to add up.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/device_bins.h"
#include "trees/quantized_derivatives.h"

namespace podium {

constexpr unsigned kMoveThreads = 256, kMovedAThread = 4;
constexpr unsigned kMoveChunk = kMoveThreads * kMovedAThread;
constexpr std::uint64_t kMostChunks = 1024;

// The documents of a chunk: a multiple of kMoveChunk.
inline std::uint64_t chunk_of(std::uint64_t documents) {
  const std::uint64_t parts = (documents + kMoveChunk - 1) / kMoveChunk;
  return kMoveChunk * std::max<std::uint64_t>(1, (parts + kMostChunks - 1) / kMostChunks);
}

// Which bins of a column go left: the first ones and one more, or as a table says.
struct DeviceRoute {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t lefts = 0, other = kNone;
  std::uint32_t table = kNone;  // where it begins

  PODIUM_BOTH bool goes_left(std::uint32_t bin, const std::uint8_t* tables) const {
    return table == kNone ? bin < lefts || bin == other : tables[table + bin] != 0;
  }
};

// The sums of all threads of a block.
template <class Block, class Values>
PODIUM_BOTH void add_to_total(Block& block, Values& sums, DerivativeSums* total) {
  auto* const shared = block.template shared<DerivativeSums>();
  sum_threads<kMoveThreads>(block, sums, shared);
  block.each([&](unsigned thread) {
    if (thread != 0) return;
    add_atomically(&total->first, shared[0].first);
    add_atomically(&total->second, shared[0].second);
    add_atomically(&total->documents, shared[0].documents);
  });
}

struct MarkArgs {
  BinView bins;
  const DeviceColumn* column;
  DeviceRoute route;
  const std::uint8_t* tables;
  const std::uint32_t* documents;  // of the leaf
  std::uint64_t count, chunk;
  std::uint8_t* goes_left;  // one per document of the leaf
  std::uint32_t* lefts;     // one per chunk
  DerivativeSums* cleared;  // for MoveKernel; null: nothing is
};
struct MarkKernel {
  static constexpr const char* kName = "tree_mark";
  static constexpr unsigned kThreads = kMoveThreads;
  using Args = MarkArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint64_t begin = args.chunk * block.index();
    const std::uint64_t end = begin + args.chunk < args.count ? begin + args.chunk : args.count;
    typename Block::template PerThread<std::uint32_t> lefts;
    block.each([&](unsigned thread) {
      const DeviceColumn column = *args.column;
      lefts[thread] = 0;
      for (std::uint64_t i = begin + thread; i < end; i += kThreads) {
        const std::uint32_t bin = args.bins.bin(column, args.documents[i]);
        const std::uint8_t goes_left = args.route.goes_left(bin, args.tables) ? 1 : 0;
        args.goes_left[i] = goes_left;
        lefts[thread] += goes_left;
      }
      if (args.cleared && block.index() == 0 && thread == 0) *args.cleared = {};
    });
    auto* const shared = block.template shared<std::uint32_t>();
    sum_threads<kThreads>(block, lefts, shared);
    block.each([&](unsigned thread) {
      if (thread == 0) args.lefts[block.index()] = shared[0];
    });
  }
};

struct MoveArgs {
  const std::uint32_t* documents;
  std::uint64_t count, chunk;
  const std::uint8_t* goes_left;
  const std::uint32_t* lefts;  // of each chunk, which is a block
  std::uint32_t* moved;
  std::uint32_t* all_lefts;  // how many go left
  // The sum over one side is added to `total`; null: it is not wanted.
  DerivativeSums* total;
  std::uint8_t summed;         // of which side: that of goes_left
  const std::uint64_t* words;  // one per document of the data
};
struct MoveKernel {
  static constexpr const char* kName = "tree_move";
  static constexpr unsigned kThreads = kMoveThreads;
  using Args = MoveArgs;

  // Documents that go left.
  struct Lefts {
    std::uint32_t before, all;  // before the chunk, and in the leaf
    PODIUM_BOTH Lefts& operator+=(const Lefts& other) {
      before += other.before;
      all += other.all;
      return *this;
    }
  };
  static_assert(2 * sizeof(Lefts) <= sizeof(DerivativeSums));
  static constexpr std::size_t kSharedBytes = kThreads * sizeof(DerivativeSums);

  template <class Block>
  PODIUM_BOTH static Lefts count_lefts(Block& block, const Args& args) {
    typename Block::template PerThread<Lefts> counts;
    block.each([&](unsigned thread) {
      Lefts sum{0, 0};
      for (std::uint32_t chunk = thread; chunk < block.blocks(); chunk += kThreads) {
        const std::uint32_t lefts = args.lefts[chunk];
        sum += {chunk < block.index() ? lefts : 0, lefts};
      }
      counts[thread] = sum;
    });
    auto* const shared = block.template shared<Lefts>();
    sum_threads<kThreads>(block, counts, shared);
    const Lefts lefts = shared[0];
    block.sync();
    return lefts;
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const Lefts known = count_lefts(block, args);
    const std::uint64_t begin = args.chunk * block.index();
    const std::uint64_t end = begin + args.chunk < args.count ? begin + args.chunk : args.count;
    typename Block::template PerThread<std::uint32_t> lefts;
    typename Block::template PerThread<DerivativeSums> sums;
    block.each([&](unsigned thread) {
      sums[thread] = {};
      if (thread == 0 && block.index() == 0) *args.all_lefts = known.all;
    });
    std::uint64_t before = known.before;
    for (std::uint64_t part = begin; part < end; part += kMoveChunk) {
      // Neighbours belong to one thread, so that the order is kept.
      block.each([&](unsigned thread) {
        lefts[thread] = 0;
        for (unsigned k = 0; k < kMovedAThread; ++k) {
          const std::uint64_t i = part + thread * kMovedAThread + k;
          if (i < end) lefts[thread] += args.goes_left[i];
        }
      });
      const std::uint32_t* const running =
          run_sums<kThreads>(block, lefts, block.template shared<std::uint32_t>());
      const std::uint32_t in_part = running[kThreads - 1];
      block.each([&](unsigned thread) {
        std::uint64_t left = before + running[thread] - lefts[thread];
        std::uint64_t right = part + thread * kMovedAThread - left;
        DerivativeSums sum;
        for (unsigned k = 0; k < kMovedAThread; ++k) {
          const std::uint64_t i = part + thread * kMovedAThread + k;
          if (i >= end) break;
          const std::uint32_t document = args.documents[i];
          const std::uint8_t goes_left = args.goes_left[i];
          const std::uint64_t place = goes_left ? left++ : right++;
          args.moved[goes_left ? place : known.all + place] = document;
          if (args.total && goes_left == args.summed) sum += unpack(args.words[document]);
        }
        sums[thread] += sum;
      });
      before += in_part;
    }
    if (args.total) add_to_total(block, sums, args.total);
  }
};

// The sum over a whole leaf.
struct SumLeafArgs {
  const std::uint32_t* documents;
  std::uint64_t count;
  const std::uint64_t* words;  // one per document of the data
  DerivativeSums* total;       // added to
};
struct SumLeafKernel {
  static constexpr const char* kName = "tree_sum_leaf";
  static constexpr unsigned kThreads = kMoveThreads;
  using Args = SumLeafArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    typename Block::template PerThread<DerivativeSums> sums;
    block.each([&](unsigned thread) {
      DerivativeSums sum;
      for (unsigned k = 0; k < kMovedAThread; ++k) {
        const std::uint64_t i =
            std::uint64_t{kMoveChunk} * block.index() + k * kMoveThreads + thread;
        if (i < args.count) sum += unpack(args.words[args.documents[i]]);
      }
      sums[thread] = sum;
    });
    add_to_total(block, sums, args.total);
  }
};

// 0, 1, 2, …
struct CountUpArgs {
  std::uint32_t* out;
  std::uint64_t count;
};
struct CountUpKernel {
  static constexpr const char* kName = "tree_count_up";
  static constexpr unsigned kThreads = 256;
  using Args = CountUpArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i < args.count) args.out[i] = static_cast<std::uint32_t>(i);
    });
  }
};

}  // namespace podium
