// Kernels for a tree that has been grown: the sums behind the values of its leaves, the leaf of
// each document, and scores.
#pragma once

#include <cstdint>

#include "device/atomics.h"
#include "device/kernel.h"
#include "trees/device/block_sums.h"
#include "trees/device/derivative_kernels.h"
#include "trees/device/device_bins.h"
#include "trees/device/partition_kernels.h"
#include "trees/leaf_values.h"

namespace podium {

constexpr std::uint32_t kNoLeaf = 0xFFFFFFFF;

// A part of a leaf: one block's work.
struct DeviceLeafPiece {
  static constexpr std::uint32_t kMostDocuments = 2048;
  const std::uint32_t* documents;
  std::uint32_t count;
  std::uint32_t leaf;
};

struct LeafSumsArgs {
  OutputDerivatives derivatives;
  const DeviceLeafPiece* pieces;
  double first_factor, second_factor;
  LeafSum* sums;           // by leaf; added to
  std::uint32_t* leaf_of;  // by document
};
struct LeafSumsKernel {
  static constexpr const char* kName = "tree_leaf_sums";
  static constexpr unsigned kThreads = 256;
  using Args = LeafSumsArgs;

  struct Sum : LeafSum {
    PODIUM_BOTH Sum& operator+=(const Sum& other) {
      first += other.first;
      second += other.second;
      return *this;
    }
  };

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const DeviceLeafPiece piece = args.pieces[block.index()];
    typename Block::template PerThread<Sum> sums;
    block.each([&](unsigned thread) {
      Sum sum;
      for (std::uint32_t i = thread; i < piece.count; i += kThreads) {
        const std::uint32_t d = piece.documents[i];
        sum.first += FixedPoint::round(args.derivatives.first_of(d), args.first_factor);
        sum.second += FixedPoint::round(args.derivatives.second_of(d), args.second_factor);
        args.leaf_of[d] = piece.leaf;
      }
      sums[thread] = sum;
    });
    auto* const shared = block.template shared<Sum>();
    sum_threads<kThreads>(block, sums, shared);
    block.each([&](unsigned thread) {
      if (thread != 0) return;
      LeafSum& sum = args.sums[piece.leaf];
      add_atomically(&sum.first.low, shared[0].first.low);
      add_atomically(&sum.first.high, shared[0].first.high);
      add_atomically(&sum.second.low, shared[0].second.low);
      add_atomically(&sum.second.high, shared[0].second.high);
    });
  }
};

// A node of a tree that is known by bins.
struct DeviceNode {
  std::uint32_t column;
  DeviceRoute route;
  std::int32_t left, right;
};

// The leaves of the documents that were not in the sample.
struct WalkArgs {
  BinView bins;
  const DeviceColumn* columns;
  const DeviceNode* nodes;     // null: one leaf
  const std::uint8_t* tables;  // of routes
  std::uint32_t* leaf_of;      // kNoLeaf where it is wanted
};
struct WalkKernel {
  static constexpr const char* kName = "tree_walk";
  static constexpr unsigned kThreads = 256;
  using Args = WalkArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i >= args.bins.documents || args.leaf_of[i] != kNoLeaf) return;
      const auto document = static_cast<std::uint32_t>(i);
      std::int32_t at = args.nodes ? 0 : ~0;
      while (at >= 0) {
        const DeviceNode node = args.nodes[at];
        const std::uint32_t bin = args.bins.bin(args.columns[node.column], document);
        at = node.route.goes_left(bin, args.tables) ? node.left : node.right;
      }
      args.leaf_of[i] = static_cast<std::uint32_t>(~at);
    });
  }
};

struct AddValuesArgs {
  const std::uint32_t* leaf_of;
  const double* values;  // by leaf
  std::uint64_t documents;
  std::uint32_t outputs, output;
  double* scores;
};
struct AddValuesKernel {
  static constexpr const char* kName = "tree_add_values";
  static constexpr unsigned kThreads = 256;
  using Args = AddValuesArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i < args.documents)
        args.scores[i * args.outputs + args.output] += args.values[args.leaf_of[i]];
    });
  }
};

struct LookUpArgs {
  const std::uint32_t* leaf_of;
  const double* values;
  std::uint64_t documents;
  double* out;
};
struct LookUpKernel {
  static constexpr const char* kName = "tree_look_up";
  static constexpr unsigned kThreads = 256;
  using Args = LookUpArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i < args.documents) args.out[i] = args.values[args.leaf_of[i]];
    });
  }
};

}  // namespace podium
