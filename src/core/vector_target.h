// Which vector instructions the kernels use: the widest that the machine supports, or the set named
// by the environment variable PODIUM_SIMD (baseline, avx2, avx512). It changes speed and no bit of
// a result; the variable exists to test that, see tests/machines/.
//
// Highway compiles every kernel for each instruction set (foreach_target) and chooses at run time;
// the first call here sets its choice. The front ends call this before anything else, so that a
// wrong name is reported there.
#pragma once

#include <string_view>

namespace podium {

enum class VectorTarget { baseline, avx2, avx512 };

// Read once. Throws a usage Error if the name is unknown or the machine does not support it.
VectorTarget vector_target();

// The target that `wanted` names, on a machine whose widest is `widest`; empty: the widest.
VectorTarget choose_vector_target(std::string_view wanted, VectorTarget widest);

// "baseline", "AVX2" or "AVX-512".
std::string_view vector_target_name(VectorTarget target);

}  // namespace podium
