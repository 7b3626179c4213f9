// The inner loops of pair losses, in the widest vectors that the machine has. Every machine
// computes the same bits.
#pragma once

#include "losses/pairwise/pair_kernels_targets.h"

namespace podium {

const PairKernels& pair_kernels();

}  // namespace podium
