#include "server/utf8.h"

#include <cstdint>
#include <cstring>

namespace podium {
namespace {

// The size of the character that begins at p, of which `left` bytes may be read; 0: not valid.
std::size_t character_bytes(const unsigned char* p, std::size_t left) noexcept {
  const unsigned char first = p[0];
  const std::size_t bytes = first < 0x80                    ? 1
                            : first >= 0xC2 && first < 0xE0 ? 2
                            : first >= 0xE0 && first < 0xF0 ? 3
                            : first >= 0xF0 && first < 0xF5 ? 4
                                                            : 0;
  if (bytes > left) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((p[i] & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && p[1] < 0xA0) || (first == 0xED && p[1] > 0x9F) ||
      (first == 0xF0 && p[1] < 0x90) || (first == 0xF4 && p[1] > 0x8F))
    return 0;
  return bytes;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= 8) {  // most text is ASCII
      std::uint64_t word;
      std::memcpy(&word, bytes + at, 8);
      if ((word & 0x8080808080808080) == 0) {
        at += 8;
        continue;
      }
    }
    const std::size_t step = character_bytes(bytes + at, text.size() - at);
    if (step == 0) return at;
    at += step;
  }
  return at;
}

}  // namespace podium
