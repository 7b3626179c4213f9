#include "trees/draw_columns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::uint64_t kColumnStream =
    0x636F6C756D6E73;  // "columns": numbers drawn for this purpose

}  // namespace

std::vector<std::uint32_t> draw_columns(std::span<const BinnedFeature> columns, double fraction,
                                        std::uint64_t seed, std::uint64_t tree) {
  const std::size_t n = columns.size();
  std::vector<std::uint32_t> drawn(n);
  std::iota(drawn.begin(), drawn.end(), 0U);
  if (fraction >= 1 || n == 0) return drawn;
  const std::uint64_t stream = mix(mix(seed, kColumnStream), tree);
  std::vector<std::uint64_t> hashes(n);
  for (std::size_t c = 0; c < n; ++c) hashes[c] = mix(stream, columns[c].feature);
  std::sort(drawn.begin(), drawn.end(),
            [&](std::uint32_t a, std::uint32_t b) { return hashes[a] < hashes[b]; });
  const double wanted = std::round(fraction * static_cast<double>(n));
  drawn.resize(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace podium
