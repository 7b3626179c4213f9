// The kernels of mlp_kernels.h, compiled once for each instruction set: a file that defines
// PODIUM_KERNELS (a namespace), PODIUM_LANES (floats in a vector), PODIUM_ROWS and PODIUM_VECTORS
// (the tile of sums that fits into registers), and includes nothing else, includes this.
#include <cstddef>
#include <cstdint>

#include "models/mlp/mlp_kernels_targets.h"

namespace podium::PODIUM_KERNELS {
namespace {

constexpr std::size_t kLanes = PODIUM_LANES;

using Floats = float __attribute__((vector_size(4 * PODIUM_LANES)));
using Ints = std::int32_t __attribute__((vector_size(4 * PODIUM_LANES)));
// At any address. A typedef, since clang drops the alignment of a `using`.
typedef float FloatsAnywhere __attribute__((vector_size(4 * PODIUM_LANES), aligned(4), may_alias));

#define PODIUM_AT(p) (*reinterpret_cast<FloatsAnywhere*>(p))
#define PODIUM_CONST_AT(p) (*reinterpret_cast<const FloatsAnywhere*>(p))

// A tile of `rows` × `vectors` sums, in registers while k runs.
template <std::size_t rows, std::size_t vectors>
inline void tile(const float* a, std::size_t a_row, std::size_t a_column, const float* b, float* c,
                 std::size_t depth, std::size_t width) {
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
  for (; i + PODIUM_ROWS <= rows; i += PODIUM_ROWS)
    tile<PODIUM_ROWS, vectors>(a + i * a_row, a_row, a_column, b, c + i * width, depth, width);
  for (; i + 2 <= rows; i += 2)
    tile<2, vectors>(a + i * a_row, a_row, a_column, b, c + i * width, depth, width);
  for (; i < rows; ++i)
    tile<1, vectors>(a + i * a_row, a_row, a_column, b, c + i * width, depth, width);
}

}  // namespace

void multiply_add(const float* a, std::size_t a_row, std::size_t a_column, const float* b, float* c,
                  std::size_t rows, std::size_t depth, std::size_t width) {
  constexpr std::size_t kWide = kLanes * PODIUM_VECTORS;
  std::size_t j = 0;
  for (; j + kWide <= width; j += kWide)
    columns<PODIUM_VECTORS>(a, a_row, a_column, b + j, c + j, rows, depth, width);
  for (; j < width; j += kLanes) columns<1>(a, a_row, a_column, b + j, c + j, rows, depth, width);
}

// With e = exp(2x) − 1 = 2ᵏ p + (2ᵏ − 1), p = exp(r) − 1 by Taylor's series on |r| ≤ ½ ln 2:
// tanh x = e / (e + 2), exact to rounding near 0 as well.
void apply_tanh(float* x, std::size_t n) {
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
    // NaN is no number to convert: its lane of k becomes 0, and p carries the NaN on.
    // NOLINTNEXTLINE(misc-redundant-expression)
    const Ints whole = __builtin_convertvector(k == k ? k : Floats{}, Ints);
    const Ints bits = (whole + 127) << 23;
    const Floats power = reinterpret_cast<Floats>(bits);
    const Floats e = power * p + (power - 1.0F);
    PODIUM_AT(x + i) = e / (e + 2.0F);
  }
}

void standardize(const float* x, const float* mean, const float* factor, float* out,
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

}  // namespace podium::PODIUM_KERNELS
