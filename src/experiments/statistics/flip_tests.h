// Shared by the sign-flip tests.
#pragma once

#include <cstddef>
#include <cstdint>

#include "podium/context.h"

namespace podium {

// Throws an Error if there are none.
void check_permutations(std::size_t permutations);

// The seed of the flips: all tests of a context use the same signs.
std::uint64_t flip_seed(const Context& context);

}  // namespace podium
