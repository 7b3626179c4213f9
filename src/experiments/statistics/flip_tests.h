// What the sign-flip tests share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "podium/context.h"

namespace podium {

// Error when there are none.
void check_permutations(std::size_t permutations);

// The seed of the flips: all tests of a context see the same signs.
std::uint64_t flip_seed(const Context& context);

}  // namespace podium
