// How much memory this process may use: the minimum of what the system has available, what its
// control group allows and what its resource limits allow.
#pragma once

#include <cstdint>
#include <string>

namespace podium {

// In bytes. `root` is prepended to the paths of system files, for tests.
std::uint64_t memory_limit(const std::string& root = "");

}  // namespace podium
