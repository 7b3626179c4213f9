// The inner loops of pair losses, in the widest vectors that the machine has. Every machine
// computes the same bits.
#pragma once

#include <string_view>

#include "losses/pair_kernels_targets.h"

namespace podium {

const PairKernels& pair_kernels();

// Which instructions are used: "AVX-512", "AVX2" or "baseline".
std::string_view pair_kernel_target();

}  // namespace podium
