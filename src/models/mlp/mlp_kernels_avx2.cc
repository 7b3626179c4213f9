// The kernels for avx2; CMakeLists.txt has the flags.
#define PODIUM_KERNELS mlp_avx2
#define PODIUM_LANES 8
#define PODIUM_ROWS 6
#define PODIUM_VECTORS 2
#include "models/mlp/mlp_kernels_body.h"
