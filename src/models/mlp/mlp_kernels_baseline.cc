// The kernels for every machine.
#define PODIUM_KERNELS mlp_baseline
#define PODIUM_LANES 4
#define PODIUM_ROWS 4
#define PODIUM_VECTORS 2
#include "models/mlp/mlp_kernels_body.h"
