// The kernels of dense_kernels.h, compiled once for each instruction set: a file that defines
// PODIUM_KERNELS (a namespace) and PODIUM_BLOCKS (how many vectors of eight sums fit into
// registers), and includes nothing else, includes this. The width of a block does not change the
// order of additions.
#include <cstddef>

#include "models/linear/dense_kernels_targets.h"

namespace podium::PODIUM_KERNELS {
namespace {

using Eight = double __attribute__((vector_size(64)));
// At any address. A typedef, since clang drops the alignment of a `using`.
typedef double EightAnywhere __attribute__((vector_size(64), aligned(8), may_alias));
typedef float FloatsAnywhere __attribute__((vector_size(32), aligned(4), may_alias));

#define PODIUM_DOUBLES(p) (*reinterpret_cast<const EightAnywhere*>(p))
#define PODIUM_FLOATS(p) __builtin_convertvector(*reinterpret_cast<const FloatsAnywhere*>(p), Eight)

constexpr std::size_t kTile = 16;  // rows that stay in the first-level cache

// Blocks × 8 features of `rows` rows, the sums in registers meanwhile.
template <std::size_t blocks>
inline void add_block(const float* x, std::size_t rows, std::size_t n, const double* c,
                      double* sums) {
  Eight s[blocks];
  for (std::size_t b = 0; b < blocks; ++b) s[b] = PODIUM_DOUBLES(sums + 8 * b);
  for (std::size_t r = 0; r < rows; ++r, x += n) {
    const Eight weight = Eight{} + c[r];
    for (std::size_t b = 0; b < blocks; ++b) s[b] += weight * PODIUM_FLOATS(x + 8 * b);
  }
  for (std::size_t b = 0; b < blocks; ++b) *reinterpret_cast<EightAnywhere*>(sums + 8 * b) = s[b];
}

}  // namespace

double dot(const float* x, const double* w, std::size_t n) {
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

void add_rows(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  for (std::size_t begin = 0; begin < rows; begin += kTile) {
    const std::size_t tile = rows - begin < kTile ? rows - begin : kTile;
    const float* const at = x + begin * n;
    std::size_t f = 0;
    for (; f + 8 * PODIUM_BLOCKS <= n; f += 8 * PODIUM_BLOCKS)
      add_block<PODIUM_BLOCKS>(at + f, tile, n, c + begin, sums + f);
    for (; f + 8 <= n; f += 8) add_block<1>(at + f, tile, n, c + begin, sums + f);
    for (; f < n; ++f)
      for (std::size_t r = 0; r < tile; ++r)
        sums[f] += c[begin + r] * static_cast<double>(at[r * n + f]);
  }
}

}  // namespace podium::PODIUM_KERNELS
