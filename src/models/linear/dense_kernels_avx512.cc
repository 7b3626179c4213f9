// The kernels for avx512; CMakeLists.txt has the flags.
#define PODIUM_KERNELS avx512
#define PODIUM_BLOCKS 16
#include "models/linear/dense_kernels_body.h"
