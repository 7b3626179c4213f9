// Compiled once for each instruction set that Highway knows; which is used is decided at run time.
// Vectors are the compiler's own, eight numbers wide on every machine: the compiler cuts them into
// what the target has, and the order of additions stays the same.
#include "models/linear/dense_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/linear/dense_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

using Eight = double __attribute__((vector_size(64)));
// At any address. A typedef, since clang drops the alignment of a `using`.
typedef double EightAnywhere __attribute__((vector_size(64), aligned(8), may_alias));
typedef float FloatsAnywhere __attribute__((vector_size(32), aligned(4), may_alias));

#undef PODIUM_DOUBLES
#undef PODIUM_FLOATS
#define PODIUM_DOUBLES(p) (*reinterpret_cast<const EightAnywhere*>(p))
#define PODIUM_FLOATS(p) __builtin_convertvector(*reinterpret_cast<const FloatsAnywhere*>(p), Eight)

constexpr std::size_t kTile = 16;  // rows that stay in the first-level cache
// How many vectors of eight sums fit into registers. It does not change the order of additions.
constexpr std::size_t kBlocks = HWY_CAP_GE512 ? 16 : HWY_CAP_GE256 ? 4 : 2;

HWY_INLINE double product(const float* x, const double* w, std::size_t n) {
  Eight even{}, odd{};
  std::size_t f = 0;
  for (; f + 16 <= n; f += 16) {
    even += PODIUM_DOUBLES(w + f) * PODIUM_FLOATS(x + f);
    odd += PODIUM_DOUBLES(w + f + 8) * PODIUM_FLOATS(x + f + 8);
  }
  if (f + 8 <= n) {
    even += PODIUM_DOUBLES(w + f) * PODIUM_FLOATS(x + f);
    f += 8;
  }
  double rest = 0;
  for (; f < n; ++f) rest += w[f] * static_cast<double>(x[f]);
  const Eight s = even + odd;
  return (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))) + rest;
}

void dense_products_kernel(const float* x, std::size_t rows, const double* w, double* products,
                           std::size_t n) {
  for (std::size_t r = 0; r < rows; ++r, x += n) products[r] = product(x, w, n);
}

// Blocks × 8 features of `rows` rows, the sums in registers meanwhile.
template <std::size_t blocks>
HWY_INLINE void add_block(const float* x, std::size_t rows, std::size_t n, const double* c,
                          double* sums) {
  Eight s[blocks];
  for (std::size_t b = 0; b < blocks; ++b) s[b] = PODIUM_DOUBLES(sums + 8 * b);
  for (std::size_t r = 0; r < rows; ++r, x += n) {
    const Eight weight = Eight{} + c[r];
    for (std::size_t b = 0; b < blocks; ++b) s[b] += weight * PODIUM_FLOATS(x + 8 * b);
  }
  for (std::size_t b = 0; b < blocks; ++b) *reinterpret_cast<EightAnywhere*>(sums + 8 * b) = s[b];
}

void add_rows_kernel(const float* x, std::size_t rows, const double* c, double* sums,
                     std::size_t n) {
  for (std::size_t begin = 0; begin < rows; begin += kTile) {
    const std::size_t tile = rows - begin < kTile ? rows - begin : kTile;
    const float* const at = x + begin * n;
    std::size_t f = 0;
    for (; f + 8 * kBlocks <= n; f += 8 * kBlocks)
      add_block<kBlocks>(at + f, tile, n, c + begin, sums + f);
    for (; f + 8 <= n; f += 8) add_block<1>(at + f, tile, n, c + begin, sums + f);
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
