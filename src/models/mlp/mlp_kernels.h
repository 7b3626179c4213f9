// The inner loops of dense layers in single precision, in the widest vectors that the machine
// supports. Every element of a product is one sum in the order of k, with separately rounded
// multiplications and additions; so neither the width of vectors nor the other rows change its
// bits: a document's score depends only on the document, on every machine.
#pragma once

#include <cstddef>

namespace podium {

// Widths of layers are rounded up to a multiple of this.
constexpr std::size_t kMlpLanes = 16;

// The matrix A of a product: element (i, k) is at data[i · row + k · column].
struct Strided {
  const float* data;
  std::size_t row, column;
};

// C += A B with A rows × depth, B depth × width and C rows × width; B and C are contiguous, and
// width is a multiple of kMlpLanes.
void multiply_add(Strided a, const float* b, float* c, std::size_t rows, std::size_t depth,
                  std::size_t width);

// x ← tanh x, within 3 units in the last place; n a multiple of kMlpLanes.
void apply_tanh(float* x, std::size_t n);

// out = (x − mean) · factor, 0 where x is missing (NaN).
void standardize(const float* x, const float* mean, const float* factor, float* out, std::size_t n);

}  // namespace podium
