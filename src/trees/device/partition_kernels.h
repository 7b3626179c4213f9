// Kernels that move the documents of a leaf to its two children, and gather words.
//
// A leaf's documents are in one of two arrays; its children's come to the same places of the other
// one. Chunks of documents count those that go left; the counts become offsets; then every chunk
// writes both sides in order, and the words of one side.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/device_bins.h"
#include "trees/quantized_derivatives.h"

namespace podium {

constexpr unsigned kMoveThreads = 256, kMovedAThread = 4;
constexpr unsigned kMoveChunk = kMoveThreads * kMovedAThread;

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
  const std::uint8_t* left;        // whether a bin goes left: 0 or 1
  const std::uint32_t* documents;  // of the leaf
  std::uint64_t count;
  std::uint8_t* goes_left;  // one per document of the leaf
  std::uint32_t* lefts;     // one per chunk
};
struct MarkKernel {
  static constexpr const char* kName = "tree_mark";
  static constexpr unsigned kThreads = kMoveThreads;
  using Args = MarkArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    typename Block::template PerThread<std::uint32_t> lefts;
    block.each([&](unsigned thread) {
      const DeviceColumn column = *args.column;
      lefts[thread] = 0;
      for (unsigned k = 0; k < kMovedAThread; ++k) {
        const std::uint64_t i =
            std::uint64_t{kMoveChunk} * block.index() + k * kMoveThreads + thread;
        if (i >= args.count) break;
        const std::uint8_t goes_left = args.left[args.bins.bin(column, args.documents[i])];
        args.goes_left[i] = goes_left;
        lefts[thread] += goes_left;
      }
    });
    auto* const shared = block.template shared<std::uint32_t>();
    sum_threads<kThreads>(block, lefts, shared);
    block.each([&](unsigned thread) {
      if (thread == 0) args.lefts[block.index()] = shared[0];
    });
  }
};

// Running sums of the chunks' counts, before each chunk, and in all behind the last. One block.
struct OffsetsArgs {
  std::uint32_t* lefts;  // chunks + 1
  std::uint32_t chunks;
};
struct OffsetsKernel {
  static constexpr const char* kName = "tree_offsets";
  static constexpr unsigned kThreads = 256;
  using Args = OffsetsArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    auto* const shared = block.template shared<std::uint32_t>();
    typename Block::template PerThread<std::uint32_t> own;
    std::uint32_t before = 0;
    for (std::uint32_t begin = 0; begin <= args.chunks; begin += kThreads) {
      block.each([&](unsigned thread) {
        own[thread] = begin + thread < args.chunks ? args.lefts[begin + thread] : 0;
      });
      const std::uint32_t* const sums = run_sums<kThreads>(block, own, shared);
      block.each([&](unsigned thread) {
        if (begin + thread <= args.chunks)
          args.lefts[begin + thread] = before + sums[thread] - own[thread];
      });
      before += sums[kThreads - 1];
      block.sync();
    }
  }
};

struct MoveArgs {
  const std::uint32_t* documents;
  std::uint64_t count;
  const std::uint8_t* goes_left;
  const std::uint32_t* lefts;  // before each chunk, and in all
  std::uint32_t chunks;
  std::uint32_t* moved;
  bool gathers;                // the words of one side
  std::uint8_t gathered;       // of which: that of goes_left
  const std::uint64_t* words;  // one per document of the data
  std::uint64_t* gathered_words;
  DerivativeSums* total;  // of the gathered words; added to
};
struct MoveKernel {
  static constexpr const char* kName = "tree_move";
  static constexpr unsigned kThreads = kMoveThreads;
  using Args = MoveArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    typename Block::template PerThread<std::uint32_t> lefts;
    typename Block::template PerThread<DerivativeSums> sums;
    const std::uint64_t chunk = std::uint64_t{kMoveChunk} * block.index();
    // Neighbours belong to one thread, so that the order is kept.
    block.each([&](unsigned thread) {
      lefts[thread] = 0;
      for (unsigned k = 0; k < kMovedAThread; ++k) {
        const std::uint64_t i = chunk + thread * kMovedAThread + k;
        if (i < args.count) lefts[thread] += args.goes_left[i];
      }
    });
    const std::uint32_t* const running =
        run_sums<kThreads>(block, lefts, block.template shared<std::uint32_t>());
    block.each([&](unsigned thread) {
      std::uint64_t left = args.lefts[block.index()] + running[thread] - lefts[thread];
      std::uint64_t right = chunk + thread * kMovedAThread - left;
      DerivativeSums sum;
      for (unsigned k = 0; k < kMovedAThread; ++k) {
        const std::uint64_t i = chunk + thread * kMovedAThread + k;
        if (i >= args.count) break;
        const std::uint32_t document = args.documents[i];
        const std::uint8_t goes_left = args.goes_left[i];
        const std::uint64_t place = goes_left ? left++ : right++;
        args.moved[goes_left ? place : args.lefts[args.chunks] + place] = document;
        if (args.gathers && goes_left == args.gathered) {
          const std::uint64_t word = args.words[document];
          args.gathered_words[place] = word;
          sum += unpack(word);
        }
      }
      sums[thread] = sum;
    });
    if (args.gathers) add_to_total(block, sums, args.total);
  }
};

// The words of a whole leaf.
struct GatherArgs {
  const std::uint32_t* documents;
  std::uint64_t count;
  const std::uint64_t* words;
  std::uint64_t* gathered_words;
  DerivativeSums* total;  // added to
};
struct GatherKernel {
  static constexpr const char* kName = "tree_gather";
  static constexpr unsigned kThreads = kMoveThreads;
  using Args = GatherArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    typename Block::template PerThread<DerivativeSums> sums;
    block.each([&](unsigned thread) {
      DerivativeSums sum;
      for (unsigned k = 0; k < kMovedAThread; ++k) {
        const std::uint64_t i =
            std::uint64_t{kMoveChunk} * block.index() + k * kMoveThreads + thread;
        if (i >= args.count) break;
        const std::uint64_t word = args.words[args.documents[i]];
        args.gathered_words[i] = word;
        sum += unpack(word);
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
