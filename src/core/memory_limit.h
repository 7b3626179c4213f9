// How much memory this process may take: the least of what the system has left, what its control
// group allows and what its resource limits allow.
#pragma once

#include <cstdint>
#include <string>

namespace podium {

// In bytes. `root` is put before the paths of the system's files, for tests.
std::uint64_t memory_limit(const std::string& root = "");

}  // namespace podium
