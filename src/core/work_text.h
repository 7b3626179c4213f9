// How the amount of work is printed: "7 s", "12 minutes", "100,000".
#pragma once

#include <cstddef>
#include <string>

namespace podium {

std::string duration_text(double seconds);
std::string with_commas(std::size_t number);

}  // namespace podium
