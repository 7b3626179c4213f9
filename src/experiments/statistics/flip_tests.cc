#include "experiments/statistics/flip_tests.h"

#include "core/random.h"
#include "podium/error.h"

namespace podium {

void check_permutations(std::size_t permutations) {
  if (permutations == 0)
    throw Error(ErrorCode::usage,
                "a permutation test needs at least 1 permutation; 10000 is usual");
}

std::uint64_t flip_seed(const Context& context) {
  return mix(context.seed, hash_text("sign flips"));
}

}  // namespace podium
