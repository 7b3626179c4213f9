// The kernel that adds trees to the outputs of documents: one thread per document, which walks the
// trees of an output in order and adds in double, so the bits are those of walking on the host.
//
// Trees are walked kTogether at a time: their loads do not wait for each other. Where the columns
// of a block's documents fit into shared memory, they are copied there first, because below the
// root neighbouring documents need different columns.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/both.h"
#include "device/kernel.h"

namespace podium {

// A node in 16 bytes, one load.
struct alignas(16) ForestNode {
  static constexpr std::uint32_t kMissingRight = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kCategory = std::uint32_t{1} << 30;
  static constexpr std::uint32_t kColumn = kCategory - 1;

  std::uint32_t column;      // with the flags
  std::uint32_t compared;    // the bits of the threshold, or the number of the set of categories
  std::int32_t left, right;  // ≥ 0: a node; < 0: the value ~child

  PODIUM_BOTH float threshold() const {
    float x = 0;
    static_assert(sizeof x == sizeof compared);
    __builtin_memcpy(&x, &compared, sizeof x);
    return x;
  }
};

// The codes that go left, as one bit per code if that takes little memory, or else as a list,
// ascending.
struct CategorySet {
  std::uint32_t first;  // in `codes`
  std::uint32_t count;  // of words or codes
  std::uint32_t is_list;
};

// Trees in a device's memory, numbered together: nodes, values and sets are those of all trees.
struct TreesView {
  const std::int32_t* roots;  // one per tree, as children in ForestNode
  std::uint32_t trees;
  const ForestNode* nodes;
  const double* values;
  const CategorySet* sets;
  const std::uint32_t* codes;

  // Codes are below this (kMostCategories); larger numbers are no codes.
  static constexpr float kEndOfCodes = 1 << 24;

  PODIUM_BOTH bool contains(std::uint32_t number, float x) const {
    if (!(x >= 0 && x < kEndOfCodes)) return false;
    const CategorySet set = sets[number];
    const auto code = static_cast<std::uint32_t>(x);
    const std::uint32_t* const own = codes + set.first;
    if (!set.is_list) return code / 32 < set.count && (own[code / 32] >> code % 32 & 1) != 0;
    std::uint32_t begin = 0, end = set.count;
    while (begin < end) {
      const std::uint32_t middle = (begin + end) / 2;
      if (own[middle] < code)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin < set.count && own[begin] == code;
  }

  // As Tree::child.
  PODIUM_BOTH std::int32_t child(const ForestNode& node, float x) const {
    const bool goes_left = x != x ? (node.column & ForestNode::kMissingRight) == 0
                           : (node.column & ForestNode::kCategory) != 0 ? contains(node.compared, x)
                                                                        : x <= node.threshold();
    return goes_left ? node.left : node.right;
  }
};

struct AddTreesArgs {
  TreesView trees;
  const float* columns;       // one after the other
  std::uint64_t stride;       // from one column to the next
  const std::uint32_t* used;  // staged: which columns the nodes' columns 0, 1, … are
  std::uint32_t used_count;
  std::uint32_t documents_per_block;
  std::uint64_t documents;
  std::uint32_t outputs;
  double* sums;  // those of one document are contiguous
};

enum class ForestColumns : std::uint8_t { in_place, staged };

template <ForestColumns kColumns>
struct AddTreesKernel {
  static constexpr bool kStaged = kColumns == ForestColumns::staged;
  static constexpr const char* kName = kStaged ? "forest_add_staged" : "forest_add_in_place";
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kTogether = 4;
  using Args = AddTreesArgs;

  struct Document {
    const float* columns;
    std::uint64_t stride, place;
    PODIUM_BOTH float operator[](std::uint32_t column) const {
      return columns[column * stride + place];
    }
  };

  // Adds trees first, first + step, …, `count` of them, where count ≤ kTogether.
  PODIUM_BOTH static double add(const TreesView& trees, const Document& x, std::uint32_t first,
                                std::uint32_t step, std::uint32_t count, double sum) {
    std::int32_t at[kTogether];
    bool moving = false;
    for (unsigned i = 0; i < kTogether; ++i) {
      at[i] = i < count ? trees.roots[first + i * step] : -1;
      moving |= at[i] >= 0;
    }
    while (moving) {
      // All loads of a step before what depends on them; a walk that has ended loads node 0.
      ForestNode node[kTogether];
      float value[kTogether];
      for (unsigned i = 0; i < kTogether; ++i) node[i] = trees.nodes[at[i] < 0 ? 0 : at[i]];
      for (unsigned i = 0; i < kTogether; ++i) value[i] = x[node[i].column & ForestNode::kColumn];
      moving = false;
      for (unsigned i = 0; i < kTogether; ++i) {
        if (at[i] >= 0) at[i] = trees.child(node[i], value[i]);
        moving |= at[i] >= 0;
      }
    }
    for (unsigned i = 0; i < kTogether; ++i)
      if (i < count) sum += trees.values[~at[i]];
    return sum;
  }

  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint64_t begin = std::uint64_t{args.documents_per_block} * block.index();
    const std::uint64_t left = args.documents - begin;
    const std::uint32_t count = left < args.documents_per_block ? static_cast<std::uint32_t>(left)
                                                                : args.documents_per_block;
    [[maybe_unused]] auto* const staged = block.template shared<float>();
    if constexpr (kStaged) {
      block.each([&](unsigned thread) {
        const std::uint32_t values = args.used_count * args.documents_per_block;
        for (std::uint32_t i = thread; i < values; i += kThreads) {
          const std::uint32_t column = i / args.documents_per_block;
          const std::uint32_t document = i % args.documents_per_block;
          if (document < count)
            staged[i] = args.columns[args.used[column] * args.stride + begin + document];
        }
      });
    }
    block.each([&](unsigned thread) {
      if (thread >= count) return;
      const Document x = kStaged ? Document{staged, args.documents_per_block, thread}
                                 : Document{args.columns, args.stride, begin + thread};
      double* const sums = args.sums + (begin + thread) * args.outputs;
      for (std::uint32_t k = 0; k < args.outputs; ++k) {
        double sum = sums[k];
        for (std::uint32_t t = k; t < args.trees.trees; t += kTogether * args.outputs) {
          const std::uint32_t rest = (args.trees.trees - t - 1) / args.outputs + 1;
          sum = add(args.trees, x, t, args.outputs, rest < kTogether ? rest : kTogether, sum);
        }
        sums[k] = sum;
      }
    });
  }
};

using AddTreesStaged = AddTreesKernel<ForestColumns::staged>;
using AddTreesInPlace = AddTreesKernel<ForestColumns::in_place>;

}  // namespace podium
