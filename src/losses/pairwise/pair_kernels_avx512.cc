// The kernels for avx512; CMakeLists.txt has the flags.
#define PODIUM_KERNELS avx512
#define PODIUM_LANES 8
#include "losses/pairwise/pair_kernels_body.h"
