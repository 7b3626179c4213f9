#include "models/mlp_kernels.h"

#include "models/mlp_kernels_targets.h"

namespace podium {
namespace {

struct Kernels {
  decltype(&mlp_baseline::multiply_add) multiply_add;
  decltype(&mlp_baseline::apply_tanh) apply_tanh;
  decltype(&mlp_baseline::standardize) standardize;
  std::string_view target;
};

Kernels choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return {mlp_avx512::multiply_add, mlp_avx512::apply_tanh, mlp_avx512::standardize, "AVX-512"};
  if (__builtin_cpu_supports("avx2"))
    return {mlp_avx2::multiply_add, mlp_avx2::apply_tanh, mlp_avx2::standardize, "AVX2"};
#endif
  return {mlp_baseline::multiply_add, mlp_baseline::apply_tanh, mlp_baseline::standardize,
          "baseline"};
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
std::string_view mlp_kernel_target() {
  return kernels().target;
}

}  // namespace podium
