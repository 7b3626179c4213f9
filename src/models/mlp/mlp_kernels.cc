#include "models/mlp/mlp_kernels.h"

#include "core/vector_target.h"
#include "models/mlp/mlp_kernels_targets.h"

namespace podium {
namespace {

struct Kernels {
  decltype(&mlp_baseline::multiply_add) multiply_add;
  decltype(&mlp_baseline::apply_tanh) apply_tanh;
  decltype(&mlp_baseline::standardize) standardize;
};

Kernels choose() {
  switch (vector_target()) {
    case VectorTarget::avx512:
      return {mlp_avx512::multiply_add, mlp_avx512::apply_tanh, mlp_avx512::standardize};
    case VectorTarget::avx2:
      return {mlp_avx2::multiply_add, mlp_avx2::apply_tanh, mlp_avx2::standardize};
    case VectorTarget::baseline:
      break;
  }
  return {mlp_baseline::multiply_add, mlp_baseline::apply_tanh, mlp_baseline::standardize};
}

const Kernels& kernels() {
  static const Kernels chosen = choose();
  return chosen;
}

}  // namespace

void multiply_add(Strided a, const float* b, float* c, std::size_t rows, std::size_t depth,
                  std::size_t width) {
  kernels().multiply_add(a.data, a.row, a.column, b, c, rows, depth, width);
}
void apply_tanh(float* x, std::size_t n) {
  kernels().apply_tanh(x, n);
}
void standardize(const float* x, const float* mean, const float* factor, float* out,
                 std::size_t n) {
  kernels().standardize(x, mean, factor, out, n);
}

}  // namespace podium
