#include "core/counted.h"

#include <fmt/format.h>

namespace podium {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  if (!many.empty()) return fmt::format("{} {}", count, many);
  if (one.ends_with("ry")) return fmt::format("{} {}ies", count, one.substr(0, one.size() - 1));
  return fmt::format("{} {}s", count, one);
}

}  // namespace podium
