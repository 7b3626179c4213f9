// Arithmetic on vectors, for the kernels of pair losses: exp and log1p without tables and without
// fused operations, so that every instruction set computes the same bits.
//
//   exp    x = n ln 2 + r, |r| ≤ ½ ln 2, Taylor's polynomial of degree 13 in r; relative
//          error below 4e-16 for x in [−700, 700], arguments outside count as the nearer end
//   log1p  2 artanh(f) with f = u/(2 + u), for u in [0, 1]; artanh(f)/f is a polynomial of degree 9
//          in f² that was fitted on [0, 1/9] to 5e-17
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
HWY_INLINE Lanes magnitude(Lanes x) {
  return reinterpret_cast<Lanes>(reinterpret_cast<LaneBits>(x) & 0x7fffffffffffffffLL);
}

HWY_INLINE Lanes exp_of(Lanes x) {
  constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits, so that n · high is exact
  constexpr double kLn2Low = 0x1.ef35793c76730p-45;
  constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer, found in the lowest bits
  x = smaller(larger(x, splat(-700)), splat(700));
  const Lanes shifted = x * kInverseLn2 + kShift;
  const Lanes n = shifted - kShift;
  const Lanes r = (x - n * kLn2High) - n * kLn2Low;
  const Lanes z = r * r;
  const Lanes even =
      1.0 +
      z * (1.0 / 2 +
           z * (1.0 / 24 +
                z * (1.0 / 720 + z * (1.0 / 40320 + z * (1.0 / 3628800 + z * (1.0 / 479001600))))));
  const Lanes odd =
      1.0 + z * (1.0 / 6 +
                 z * (1.0 / 120 +
                      z * (1.0 / 5040 +
                           z * (1.0 / 362880 + z * (1.0 / 39916800 + z * (1.0 / 6227020800.0))))));
  const LaneBits exponent =
      (reinterpret_cast<LaneBits>(shifted) - reinterpret_cast<LaneBits>(splat(kShift)) + 1023)
      << 52;
  return (even + r * odd) * reinterpret_cast<Lanes>(exponent);
}

// log(1 + u) from f = u/(2 + u).
HWY_INLINE Lanes log1p_from(Lanes f) {
  const Lanes z = f * f;
  const Lanes y = z * z;
  const Lanes low =
      (1.0 + z * 0x1.5555555555aeep-2) + y * (0x1.99999998ca58bp-3 + z * 0x1.2492498161ca5p-3);
  const Lanes high = (0x1.c71c47af989fdp-4 + z * 0x1.74628d4f43596p-4) +
                     y * ((0x1.3aa5e932d3628p-4 + z * 0x1.1659956da410fp-4) +
                          y * (0x1.94b79523b2fbbp-5 + z * 0x1.6c26693a7c095p-4));
  return 2.0 * f * (low + y * y * high);
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
