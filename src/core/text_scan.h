// Numbers from text, fast and exactly rounded.
//
// Digits are read eight at a time [Lemire21]. A mantissa below 2⁵³ and a power of ten up to 10²²
// give a double by one correctly rounded operation; rounding that to float is exact as well unless
// the double lies on the midpoint of two floats, and then (or with more digits) std::from_chars
// decides.
//
// Every scanner stops at the first byte that does not belong to the number. The text must continue
// with a byte that belongs to no number ('\n') and with 8 readable bytes after it: see TextBlock.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace podium {

inline bool is_digit(char c) noexcept {
  return static_cast<unsigned char>(c - '0') < 10;
}
// White space inside a line; includes '\r', so CRLF needs no special treatment.
inline bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

enum class ScanStatus {
  number,
  missing,  // nan, null, in any case; NA and ?
  infinite,
  overflow,
  malformed,
};
struct FloatScan {
  const char* end;
  float value;  // NaN when missing
  ScanStatus status;
};

// The general case: words, unusual exponents, many digits, midpoints.
FloatScan scan_float_slowly(const char* begin);

// Parses the whole text as a double; false if it is not one. Numbers too small for a double give 0.
bool parse_double(std::string_view text, double& value);

// White space or the end of the line.
inline bool ends_word(char c) noexcept {
  return is_blank(c) || c == '\n';
}
// The end of the word that begins at p, found eight bytes at a time, but not beyond `end`: another
// process may write to a mapped file.
inline const char* word_end(const char* p, const char* end) noexcept {
  static_assert(std::endian::native == std::endian::little);
  for (; p < end; p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    // Marks every byte below '!', and possibly some after the first of them.
    std::uint64_t marks = (word - 0x2121212121212121) & ~word & 0x8080808080808080;
    for (; marks; marks &= marks - 1) {
      const char* const at = p + std::countr_zero(marks) / 8;
      if (ends_word(*at)) return std::min(at, end);
    }
  }
  return end;
}

namespace scan {

inline constexpr std::uint64_t kExact = std::uint64_t{1} << 53;  // whole numbers up to here
inline constexpr std::array<double, 23> kPowersOfTen = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::array<std::uint64_t, 9> kShift = {
    1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

// The number whose digits are these bytes, 0 … 9 each, lowest byte first.
inline std::uint32_t eight_digits(std::uint64_t bytes) noexcept {
  bytes = bytes * 10 + (bytes >> 8);
  return static_cast<std::uint32_t>(((bytes & 0x000000FF000000FF) * 0x000F424000000064 +
                                     ((bytes >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
                                    32);
}

// Whether the double is halfway between two floats.
inline bool is_midpoint(double value) noexcept {
  constexpr std::uint64_t kBelowFloat = (std::uint64_t{1} << 29) - 1;
  return (std::bit_cast<std::uint64_t>(value) & kBelowFloat) == std::uint64_t{1} << 28;
}

// Appends the digits at p to mantissa (modulo 2⁶⁴) and returns their end.
inline const char* digits(const char* p, std::uint64_t& mantissa) noexcept {
  static_assert(std::endian::native == std::endian::little);
  for (;;) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    word ^= 0x3030303030303030;  // digits become 0 … 9, everything else 10 or more
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
    if (count == 0) return p;
    mantissa = mantissa * kShift[count] + eight_digits(word << (64 - 8 * count));
    p += count;
    if (count < 8) return p;
  }
}

}  // namespace scan

// parse_double for text that continues as every scanner requires.
inline bool scan_double(std::string_view text, double& value) {
  const char* p = text.data();
  const bool negative = *p == '-';
  p += negative || *p == '+';
  const char* const first = p;
  std::uint64_t mantissa = 0;
  p = scan::digits(p, mantissa);
  std::ptrdiff_t count = p - first, fraction = 0;
  if (*p == '.') {
    const char* const point = p++;
    p = scan::digits(p, mantissa);
    fraction = p - point - 1;
    count += fraction;
  }
  if (p != text.data() + text.size() || count == 0 || count > 19 || mantissa > scan::kExact)
    return parse_double(text, value);
  value = static_cast<double>(mantissa) / scan::kPowersOfTen[static_cast<std::size_t>(fraction)];
  if (negative) value = -value;
  return true;
}

inline FloatScan scan_float(const char* begin) noexcept {
  const char* p = begin;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  const char* const first = p;
  std::uint64_t mantissa = 0;
  while (is_digit(*p)) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::ptrdiff_t count = p - first, fraction = 0;
  if (*p == '.') {
    const char* const point = p++;
    p = scan::digits(p, mantissa);
    fraction = p - point - 1;
    count += fraction;
  }
  if (count == 0 || count > 19 || mantissa > scan::kExact || (*p | 0x20) == 'e')
    return scan_float_slowly(begin);
  const double value =
      static_cast<double>(mantissa) / scan::kPowersOfTen[static_cast<std::size_t>(fraction)];
  if (scan::is_midpoint(value)) return scan_float_slowly(begin);
  const auto rounded = static_cast<float>(value);
  return {p, negative ? -rounded : rounded, ScanStatus::number};
}

}  // namespace podium
