#include "core/parse_blocks.h"

#include <algorithm>
#include <limits>

namespace podium {

std::size_t wave_length(const TextSource& source, const ThreadPool& pool) {
  if (source.is_mapped()) return std::numeric_limits<std::size_t>::max();
  return std::max<std::size_t>(32, 2 * static_cast<std::size_t>(pool.threads()));
}

BlockWave fetch_wave(TextSource& source, std::size_t count) {
  BlockWave wave;
  try {
    while (wave.blocks.size() < count) {
      std::optional<TextBlock> block = source.next();
      if (!block) break;
      wave.blocks.push_back(*std::move(block));
    }
  } catch (const Error& error) {
    wave.error = error;
  }
  return wave;
}

}  // namespace podium
