// The kernels for baseline; CMakeLists.txt has the flags.
#define PODIUM_KERNELS baseline
#define PODIUM_BLOCKS 2
#include "models/linear/dense_kernels_body.h"
