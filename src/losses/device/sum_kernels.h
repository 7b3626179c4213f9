// Kernels of sums of losses (losses/combination.cc).
#pragma once

#include <cstdint>

#include "losses/device/query_block.h"
#include "losses/device/squared_length.h"

namespace podium {

struct AddPartArgs {
  const double* part;
  double weight;
  bool is_first;  // of the parts
  std::uint64_t count;
  double* sum;
};
struct AddPartKernel {
  static constexpr const char* kName = "loss_add_part";
  static constexpr unsigned kThreads = 256;
  using Args = AddPartArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    block.each([&](unsigned thread) {
      const std::uint64_t i = std::uint64_t{kThreads} * block.index() + thread;
      if (i < args.count)
        args.sum[i] = (args.is_first ? 0.0 : args.sum[i]) + args.weight * args.part[i];
    });
  }
};

// Multiplies sums by how often a query counts; then its value.
struct FinishSumArgs {
  SmoothLossArgs smooth;  // no weights, no targets
  bool squares;           // the value is the squared length of the gradient
};
struct FinishSumKernel {
  static constexpr const char* kName = "loss_finish_sum";
  static constexpr unsigned kThreads = 128;
  using Args = FinishSumArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const LossArrays& arrays = args.smooth.arrays;
    QueryBlock<kThreads, Block> at(block, args.smooth);
    if (!at.scores_are_finite()) return;
    const std::uint64_t count = at.rows * args.smooth.outputs;
    const std::uint64_t first_place = at.begin * args.smooth.outputs;
    block.each([&](unsigned thread) {
      for (std::uint64_t i = first_place + thread; i < first_place + count; i += kThreads)
        arrays.write(i, at.query, arrays.first[i], arrays.second[i]);
    });
    if (!args.squares) return at.write_value(arrays.value[at.query]);
    const auto slope = [&](std::uint64_t i) {
      const std::uint64_t row = at.begin + i / args.smooth.outputs;
      return arrays.first[args.smooth.place(row, i % args.smooth.outputs)];
    };
    const std::uint64_t fours = count / 4;
    const double length = at.sum(fours + count % 4, [&](std::uint64_t i) {
      if (i >= fours) return slope(3 * fours + i) * slope(3 * fours + i);
      const double four[] = {slope(4 * i), slope(4 * i + 1), slope(4 * i + 2), slope(4 * i + 3)};
      return sum_of_four_squares(four);
    });
    block.each([&](unsigned thread) {
      if (thread == 0) arrays.value[at.query] = length;
    });
  }
};

}  // namespace podium
