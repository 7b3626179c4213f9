// A kernel for queries without information: no derivatives.
#pragma once

#include <cstdint>

#include "device/kernel.h"
#include "losses/device/loss_arrays.h"

namespace podium {

struct NoDerivativesArgs {
  LossArrays arrays;
  const std::uint32_t* queries;  // one per block
};
struct NoDerivativesKernel {
  static constexpr const char* kName = "loss_no_derivatives";
  static constexpr unsigned kThreads = 64;
  using Args = NoDerivativesArgs;
  template <class Block>
  PODIUM_BOTH static void run(Block& block, const Args& args) {
    const std::uint32_t query = args.queries[block.index()];
    const std::uint64_t begin = args.arrays.begin[query], n = args.arrays.documents(query);
    auto* const not_finite = block.template shared<std::uint32_t>();
    block.each([&](unsigned thread) {
      if (thread == 0) *not_finite = 0;
    });
    block.each([&](unsigned thread) {
      for (std::uint64_t i = thread; i < n; i += kThreads) {
        const std::uint64_t at = args.arrays.document(begin + i);
        if (!is_finite_number(args.arrays.scores[at])) add_atomically(not_finite, 1);
        args.arrays.first[at] = args.arrays.second[at] = 0;
      }
    });
    block.each([&](unsigned thread) {
      if (thread == 0) args.arrays.value[query] = *not_finite > 0 ? not_a_number() : 0;
    });
  }
};

}  // namespace podium
