// The kernels for baseline; CMakeLists.txt has the flags.
#define PODIUM_KERNELS baseline
#define PODIUM_LANES 2
#include "losses/pairwise/pair_kernels_body.h"
