// The kernels for avx512; CMakeLists.txt has the flags.
#define PODIUM_KERNELS mlp_avx512
#define PODIUM_LANES 16
#define PODIUM_ROWS 12
#define PODIUM_VECTORS 2
#include "models/mlp/mlp_kernels_body.h"
