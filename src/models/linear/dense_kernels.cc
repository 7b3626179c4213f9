// Compiled once for each instruction set that Highway supports; chosen at run time. Uses the
// compiler's vector extensions with the target's width; the order of additions does not depend on
// the width.
#include "models/linear/dense_kernels.h"

#include "core/vector_bytes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/linear/dense_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

constexpr std::size_t kLanes = PODIUM_VECTOR_BYTES / sizeof(double);
constexpr std::size_t kPartialSums = 16;
constexpr std::size_t kTile = 16;  // rows that stay in the first-level cache
// The number of vectors of sums that stay in registers while rows are added.
constexpr std::size_t kBlock = HWY_CAP_GE512 ? 16 : 8;

using Lanes = double __attribute__((vector_size(PODIUM_VECTOR_BYTES)));
// Unaligned. A typedef, because clang drops the alignment of a `using`.
typedef double LanesAnywhere
    __attribute__((vector_size(PODIUM_VECTOR_BYTES), aligned(8), may_alias));
typedef float FloatsAnywhere
    __attribute__((vector_size(PODIUM_VECTOR_BYTES / 2), aligned(4), may_alias));

#undef PODIUM_DOUBLES
#undef PODIUM_FLOATS
#define PODIUM_DOUBLES(p) (*reinterpret_cast<const LanesAnywhere*>(p))
#if HWY_CAP_GE512  // GCC converts the halves separately
#define PODIUM_FLOATS(p) reinterpret_cast<Lanes>(_mm512_cvtps_pd(_mm256_loadu_ps(p)))
#else
#define PODIUM_FLOATS(p) __builtin_convertvector(*reinterpret_cast<const FloatsAnywhere*>(p), Lanes)
#endif

HWY_INLINE double product(const float* x, const double* w, std::size_t n) {
  constexpr std::size_t kVectors = kPartialSums / kLanes, kHalf = kVectors / 2;
  Lanes sums[kVectors] = {};
  std::size_t f = 0;
  for (; f + kPartialSums <= n; f += kPartialSums)
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kVectors; ++k)
      sums[k] += PODIUM_DOUBLES(w + f + k * kLanes) * PODIUM_FLOATS(x + f + k * kLanes);
  if (f + kPartialSums / 2 <= n) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < kHalf; ++k)
      sums[k] += PODIUM_DOUBLES(w + f + k * kLanes) * PODIUM_FLOATS(x + f + k * kLanes);
    f += kPartialSums / 2;
  }
  double rest = 0;
  for (; f < n; ++f) rest += w[f] * static_cast<double>(x[f]);
  double s[kPartialSums / 2];
#pragma GCC unroll 4
  for (std::size_t k = 0; k < kHalf; ++k)
    *reinterpret_cast<LanesAnywhere*>(s + k * kLanes) = sums[k] + sums[k + kHalf];
  return (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))) + rest;
}

void dense_products_kernel(const float* x, std::size_t rows, const double* w, double* products,
                           std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r, x += n) products[r] = product(x, w, n);
}

// Adds some vectors of features over `rows` rows, with the sums in registers.
template <std::size_t vectors>
HWY_INLINE void add_block(const float* x, std::size_t rows, std::size_t n, const double* c,
                          double* sums) {
  Lanes s[vectors];
  for (std::size_t b = 0; b < vectors; ++b) s[b] = PODIUM_DOUBLES(sums + b * kLanes);
  for (std::size_t r = 0; r < rows; ++r, x += n) {
    const Lanes weight = Lanes{} + c[r];
    for (std::size_t b = 0; b < vectors; ++b) s[b] += weight * PODIUM_FLOATS(x + b * kLanes);
  }
  for (std::size_t b = 0; b < vectors; ++b)
    *reinterpret_cast<LanesAnywhere*>(sums + b * kLanes) = s[b];
}

void add_rows_kernel(const float* x, std::size_t rows, const double* c, double* sums,
                     std::size_t n) {
  for (std::size_t begin = 0; begin < rows; begin += kTile) {
    const std::size_t tile = rows - begin < kTile ? rows - begin : kTile;
    const float* const at = x + begin * n;
    std::size_t f = 0;
    for (; f + kLanes * kBlock <= n; f += kLanes * kBlock)
      add_block<kBlock>(at + f, tile, n, c + begin, sums + f);
    for (; f + kLanes <= n; f += kLanes) add_block<1>(at + f, tile, n, c + begin, sums + f);
    for (; f < n; ++f)
      for (std::size_t r = 0; r < tile; ++r)
        sums[f] += c[begin + r] * static_cast<double>(at[r * n + f]);
  }
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(dense_products_kernel);
HWY_EXPORT(add_rows_kernel);
}  // namespace

void dense_products(const float* x, std::size_t rows, const double* w, double* products,
                    std::size_t n) {
  HWY_DYNAMIC_DISPATCH(dense_products_kernel)(x, rows, w, products, n);
}
void add_rows(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(add_rows_kernel)(x, rows, c, sums, n);
}

}  // namespace podium
#endif
