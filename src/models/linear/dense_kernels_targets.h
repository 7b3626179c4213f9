// One set of kernels for each instruction set, see dense_kernels_body.h.
#pragma once

#include <cstddef>

namespace podium {

#define PODIUM_DECLARE_KERNELS(target)                                                           \
  namespace target {                                                                             \
  double dot(const float* x, const double* w, std::size_t n);                                    \
  void add_rows(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n); \
  }
PODIUM_DECLARE_KERNELS(baseline)
PODIUM_DECLARE_KERNELS(avx2)
PODIUM_DECLARE_KERNELS(avx512)
#undef PODIUM_DECLARE_KERNELS

}  // namespace podium
