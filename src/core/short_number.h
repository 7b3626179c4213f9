// Numbers of at most eight characters before white space, as most features are: optional '-',
// digits, optional point after the first digit. All eight bytes are processed at once, so that no
// branch depends on the number's length or the position of its point. The value has the same bits
// as that of scan_float (text_scan.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/text_scan.h"

namespace podium {

struct ShortNumber {
  std::size_t size;  // 0: not such a number, use scan_float
  float value;
};

// The caller must check what follows the number: unless it is white space, the result is not valid.
inline ShortNumber scan_short(const char* p) noexcept {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  // The first byte below '!', the only one that matters, is marked correctly.
  const std::uint64_t below = (word - 0x2121212121212121) & ~word & kHighBits;
  const std::size_t size = static_cast<std::size_t>(std::countr_zero(below)) / 8;
  std::uint64_t behind = below & (~below + 1);
  word = (word ^ 0x3030303030303030) & ((behind >> 7) - 1);  // bytes after it are 0, like digits
  const std::uint64_t negative = (word & 0xFF) == ('-' ^ '0');
  word >>= 8 * negative;
  behind >>= 8 * negative;
  const std::uint64_t others = ((word + 0x7676767676767676) | word) & kHighBits;
  const std::size_t whole = static_cast<std::size_t>(std::countr_zero(others | behind)) / 8;
  const std::uint64_t point = others >> 7;  // the lowest bit of its byte, or 0
  const std::uint64_t point_byte = (point << 8) - point;
  if ((others & (others - 1)) != 0 || (word & point_byte) != point * ('.' ^ '0') || whole == 0 ||
      whole + negative > size)
    return {0, 0};
  // The digits without the point, padded with zeros to eight digits; the power of ten corrects for
  // both.
  const std::uint64_t before = point - 1;
  const std::uint32_t digits = scan::eight_digits((word & before) | (word >> 8 & ~before));
  const double value = static_cast<double>(digits) / scan::kPowersOfTen[8 - whole];
  if (scan::is_midpoint(value)) return {0, 0};
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return {size, std::bit_cast<float>(bits | static_cast<std::uint32_t>(negative << 31))};
}

}  // namespace podium
