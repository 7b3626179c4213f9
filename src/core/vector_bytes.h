// For kernels that Highway's foreach_target compiles but that are written in the compiler's own
// vectors: how many bytes a vector of the current target holds. To be used between
// HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE, after <hwy/highway.h>. Sixteen also where Highway
// itself has no vectors (its scalar target): every machine's baseline has them.
#pragma once

#define PODIUM_VECTOR_BYTES (HWY_CAP_GE512 ? 64 : HWY_CAP_GE256 ? 32 : 16)
