// A number and what it counts: "1 entry", "3 entries".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace podium {

// `many`: the plural if it is irregular (leaf, leaves).
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

}  // namespace podium
