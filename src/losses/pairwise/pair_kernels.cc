#include "losses/pairwise/pair_kernels.h"

#include "core/vector_target.h"

namespace podium {
namespace {

const PairKernels& choose() {
  switch (vector_target()) {
    case VectorTarget::avx512:
      return avx512::kPairKernels;
    case VectorTarget::avx2:
      return avx2::kPairKernels;
    case VectorTarget::baseline:
      break;
  }
  return baseline::kPairKernels;
}

}  // namespace

const PairKernels& pair_kernels() {
  static const PairKernels& chosen = choose();
  return chosen;
}
}  // namespace podium
