#include "core/parse_blocks.h"

namespace podium {

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
