// One set of kernels for each instruction set, see mlp_kernels_body.h.
#pragma once

#include <cstddef>

namespace podium {

#define PODIUM_DECLARE_KERNELS(target)                                                       \
  namespace target {                                                                         \
  void multiply_add(const float* a, std::size_t a_row, std::size_t a_column, const float* b, \
                    float* c, std::size_t rows, std::size_t depth, std::size_t width);       \
  void apply_tanh(float* x, std::size_t n);                                                  \
  void standardize(const float* x, const float* mean, const float* factor, float* out,       \
                   std::size_t n);                                                           \
  }
PODIUM_DECLARE_KERNELS(mlp_baseline)
PODIUM_DECLARE_KERNELS(mlp_avx2)
PODIUM_DECLARE_KERNELS(mlp_avx512)
#undef PODIUM_DECLARE_KERNELS

}  // namespace podium
