// Arithmetic on vectors, for the kernels of pair losses, which every instruction set computes with
// the same bits: the vectors, and lane_functions-inl.h.
//
// Included once for each instruction set (Highway).
#if defined(PODIUM_LANE_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PODIUM_LANE_MATH_INL_H
#undef PODIUM_LANE_MATH_INL_H
#else
#define PODIUM_LANE_MATH_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

#include "core/vector_bytes.h"
#include "losses/pairwise/pair_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

constexpr std::size_t kLanes = PODIUM_VECTOR_BYTES / sizeof(double), kFloatLanes = 2 * kLanes;

using Lanes = double __attribute__((vector_size(PODIUM_VECTOR_BYTES)));
// Unaligned. A typedef, because clang drops the alignment of a `using`.
typedef double LanesAnywhere
    __attribute__((vector_size(PODIUM_VECTOR_BYTES), aligned(8), may_alias));
using FloatLanes = float __attribute__((vector_size(PODIUM_VECTOR_BYTES)));
using LaneBits = long long __attribute__((vector_size(PODIUM_VECTOR_BYTES)));

HWY_INLINE Lanes load(const double* at) {
  return *reinterpret_cast<const LanesAnywhere*>(at);
}
HWY_INLINE void store(double* at, Lanes x) {
  *reinterpret_cast<LanesAnywhere*>(at) = x;
}
HWY_INLINE Lanes splat(double x) {
  return Lanes{} + x;
}
HWY_INLINE Lanes smaller(Lanes a, Lanes b) {
  return a < b ? a : b;
}
HWY_INLINE Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}
HWY_INLINE LaneBits lane_bits(Lanes x) {
  return reinterpret_cast<LaneBits>(x);
}
HWY_INLINE Lanes lanes_of(LaneBits bits) {
  return reinterpret_cast<Lanes>(bits);
}
HWY_INLINE Lanes magnitude(Lanes x) {
  return lanes_of(lane_bits(x) & 0x7fffffffffffffffLL);
}

#define PODIUM_LANE_FUNCTION HWY_INLINE
#include "losses/pairwise/lane_functions-inl.h"
#undef PODIUM_LANE_FUNCTION

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
