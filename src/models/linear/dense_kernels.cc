#include "models/linear/dense_kernels.h"

#include "core/vector_target.h"
#include "models/linear/dense_kernels_targets.h"

namespace podium {
namespace {

struct Kernels {
  double (*dot)(const float*, const double*, std::size_t);
  void (*add_rows)(const float*, std::size_t, const double*, double*, std::size_t);
};

Kernels choose() {
  switch (vector_target()) {
    case VectorTarget::avx512:
      return {avx512::dot, avx512::add_rows};
    case VectorTarget::avx2:
      return {avx2::dot, avx2::add_rows};
    case VectorTarget::baseline:
      break;
  }
  return {baseline::dot, baseline::add_rows};
}

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace

double dense_dot(const float* x, const double* w, std::size_t n) {
  return kernels().dot(x, w, n);
}
void add_rows(const float* x, std::size_t rows, const double* c, double* sums, std::size_t n) {
  kernels().add_rows(x, rows, c, sums, n);
}

}  // namespace podium
