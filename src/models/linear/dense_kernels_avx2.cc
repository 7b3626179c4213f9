// The kernels for avx2; CMakeLists.txt has the flags.
#define PODIUM_KERNELS avx2
#define PODIUM_BLOCKS 4
#include "models/linear/dense_kernels_body.h"
