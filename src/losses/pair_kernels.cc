#include "losses/pair_kernels.h"

namespace podium {
namespace {

struct Chosen {
  const PairKernels& kernels;
  std::string_view target;
};

Chosen choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {avx512::kPairKernels, "AVX-512"};
  if (__builtin_cpu_supports("avx2")) return {avx2::kPairKernels, "AVX2"};
#endif
  return {baseline::kPairKernels, "baseline"};
}

const Chosen& chosen() {
  static const Chosen choice = choose();
  return choice;
}

}  // namespace

const PairKernels& pair_kernels() {
  return chosen().kernels;
}
std::string_view pair_kernel_target() {
  return chosen().target;
}

}  // namespace podium
