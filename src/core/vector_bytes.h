// The number of bytes in a vector of the current target, for kernels that are compiled by Highway's
// foreach_target but use the compiler's vector extensions. Include it between HWY_BEFORE_NAMESPACE
// and HWY_AFTER_NAMESPACE, after <hwy/highway.h>. It is 16 even where Highway has no vectors (its
// scalar target): every supported baseline has them.
#pragma once

#define PODIUM_VECTOR_BYTES (HWY_CAP_GE512 ? 64 : HWY_CAP_GE256 ? 32 : 16)
