// Compiled once for each instruction set that Highway supports; chosen at run time. Uses the
// compiler's vector extensions with the target's width.
#include "models/mlp/mlp_kernels.h"

#include <cstdint>

#include "core/vector_bytes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/mlp/mlp_kernels.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace podium::HWY_NAMESPACE {
namespace {

constexpr std::size_t kLanes = PODIUM_VECTOR_BYTES / sizeof(float);
// The tile of sums that fits into registers.
constexpr std::size_t kRows = HWY_CAP_GE512 ? 12 : HWY_CAP_GE256 ? 6 : 4;
constexpr std::size_t kVectors = 2;

using Floats = float __attribute__((vector_size(PODIUM_VECTOR_BYTES)));
using Ints = std::int32_t __attribute__((vector_size(PODIUM_VECTOR_BYTES)));
// Unaligned. A typedef, because clang drops the alignment of a `using`.
typedef float FloatsAnywhere
    __attribute__((vector_size(PODIUM_VECTOR_BYTES), aligned(4), may_alias));

#undef PODIUM_AT
#undef PODIUM_CONST_AT
#define PODIUM_AT(p) (*reinterpret_cast<FloatsAnywhere*>(p))
#define PODIUM_CONST_AT(p) (*reinterpret_cast<const FloatsAnywhere*>(p))

// A tile of `rows` × `vectors` sums, kept in registers over the loop over k.
template <std::size_t rows, std::size_t vectors>
HWY_INLINE void tile(const float* a, std::size_t a_row, std::size_t a_column, const float* b,
                     float* c, std::size_t depth, std::size_t width) {
  Floats sums[rows][vectors];
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t v = 0; v < vectors; ++v)
      sums[i][v] = PODIUM_CONST_AT(c + i * width + v * kLanes);
  for (std::size_t k = 0; k < depth; ++k, a += a_column, b += width) {
    Floats right[vectors];
    for (std::size_t v = 0; v < vectors; ++v) right[v] = PODIUM_CONST_AT(b + v * kLanes);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] += a[i * a_row] * right[v];
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t v = 0; v < vectors; ++v) PODIUM_AT(c + i * width + v * kLanes) = sums[i][v];
}

template <std::size_t vectors>
void columns(const float* a, std::size_t a_row, std::size_t a_column, const float* b, float* c,
             std::size_t rows, std::size_t depth, std::size_t width) {
  std::size_t i = 0;
  for (; i + kRows <= rows; i += kRows)
    tile<kRows, vectors>(a + i * a_row, a_row, a_column, b, c + i * width, depth, width);
  for (; i + 2 <= rows; i += 2)
    tile<2, vectors>(a + i * a_row, a_row, a_column, b, c + i * width, depth, width);
  for (; i < rows; ++i)
    tile<1, vectors>(a + i * a_row, a_row, a_column, b, c + i * width, depth, width);
}

void multiply_add_kernel(const float* a, std::size_t a_row, std::size_t a_column, const float* b,
                         float* c, std::size_t rows, std::size_t depth, std::size_t width) {
  constexpr std::size_t kWide = kLanes * kVectors;
  std::size_t j = 0;
  for (; j + kWide <= width; j += kWide)
    columns<kVectors>(a, a_row, a_column, b + j, c + j, rows, depth, width);
  for (; j < width; j += kLanes) columns<1>(a, a_row, a_column, b + j, c + j, rows, depth, width);
}

// With e = exp(2x) − 1 = 2ᵏ p + (2ᵏ − 1), p = exp(r) − 1 by Taylor's series on |r| ≤ ½ ln 2:
// tanh x = e / (e + 2), exact to rounding near 0 as well.
void apply_tanh_kernel(float* x, std::size_t n) {
  constexpr float kLargest = 10;           // tanh rounds to ±1 from 9.02 on
  constexpr float kRounder = 12582912.0F;  // 1.5 · 2²³: adding it rounds to whole numbers
  constexpr float kInverseLog2 = 1.44269504F;
  constexpr float kLog2High = 0.693359375F,
                  kLog2Low = -2.12194440e-4F;  // high: 9 bits, so k · high is exact
  for (std::size_t i = 0; i < n; i += kLanes) {
    Floats y = PODIUM_CONST_AT(x + i);
    y = y > kLargest ? Floats{} + kLargest : y;
    y = y < -kLargest ? Floats{} - kLargest : y;
    y += y;
    const Floats k = (y * kInverseLog2 + kRounder) - kRounder;
    const Floats r = (y - k * kLog2High) - k * kLog2Low;
    Floats p = Floats{} + 1.0F / 5040;
    p = p * r + 1.0F / 720;
    p = p * r + 1.0F / 120;
    p = p * r + 1.0F / 24;
    p = p * r + 1.0F / 6;
    p = p * r + 0.5F;
    p = p * r * r + r;
    // NaN cannot be converted: its lane of k becomes 0, and p propagates the NaN.
    // NOLINTNEXTLINE(misc-redundant-expression)
    const Ints whole = __builtin_convertvector(k == k ? k : Floats{}, Ints);
    const Ints bits = (whole + 127) << 23;
    const Floats power = reinterpret_cast<Floats>(bits);
    const Floats e = power * p + (power - 1.0F);
    PODIUM_AT(x + i) = e / (e + 2.0F);
  }
}

void standardize_kernel(const float* x, const float* mean, const float* factor, float* out,
                        std::size_t n) {
  std::size_t f = 0;
  for (; f + kLanes <= n; f += kLanes) {
    const Floats value = PODIUM_CONST_AT(x + f);
    const Floats z = (value - PODIUM_CONST_AT(mean + f)) * PODIUM_CONST_AT(factor + f);
    // NOLINTNEXTLINE(misc-redundant-expression): NaN is missing
    PODIUM_AT(out + f) = value == value ? z : Floats{};
  }
  for (; f < n; ++f) out[f] = x[f] == x[f] ? (x[f] - mean[f]) * factor[f] : 0.0F;
}

}  // namespace
}  // namespace podium::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace podium {
namespace {
HWY_EXPORT(multiply_add_kernel);
HWY_EXPORT(apply_tanh_kernel);
HWY_EXPORT(standardize_kernel);
}  // namespace

void multiply_add(Strided a, const float* b, float* c, std::size_t rows, std::size_t depth,
                  std::size_t width) {
  HWY_DYNAMIC_DISPATCH(multiply_add_kernel)(a.data, a.row, a.column, b, c, rows, depth, width);
}
void apply_tanh(float* x, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(apply_tanh_kernel)(x, n);
}
void standardize(const float* x, const float* mean, const float* factor, float* out,
                 std::size_t n) {
  HWY_DYNAMIC_DISPATCH(standardize_kernel)(x, mean, factor, out, n);
}

}  // namespace podium
#endif
