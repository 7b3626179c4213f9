// The kernels for avx2; CMakeLists.txt has the flags.
#define PODIUM_KERNELS avx2
#define PODIUM_LANES 4
#include "losses/pairwise/pair_kernels_body.h"
