// Which vector instructions the kernels use: the widest that the machine has, or those that the
// environment variable PODIUM_SIMD names (baseline, avx2, avx512). It changes speed and no bit of
// a result; that is what the variable is for, see tests/machines/.
//
// Highway compiles every kernel for each instruction set (foreach_target) and chooses between them
// at run time; it is told on the first call here. The front ends call this before anything else, so
// that a bad name is an error there.
#pragma once

#include <string_view>

namespace podium {

enum class VectorTarget { baseline, avx2, avx512 };

// Read once. Throws Error (usage) for a name that is none, or that the machine does not have.
VectorTarget vector_target();

// What `wanted` names on a machine whose widest is `widest`; empty: that one.
VectorTarget choose_vector_target(std::string_view wanted, VectorTarget widest);

// "baseline", "AVX2" or "AVX-512".
std::string_view vector_target_name(VectorTarget target);

}  // namespace podium
