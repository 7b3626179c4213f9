#include "core/text_scan.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace podium {
namespace {

bool word_at(const char* p, std::string_view lower_case) {
  for (const char c : lower_case)
    if ((*p++ | 0x20) != c) return false;
  return true;
}

FloatScan scan_word(const char* begin, const char* p) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  if (word_at(p, "nan")) return {p + 3, kNan, ScanStatus::missing};
  if (p == begin) {
    if (word_at(p, "null")) return {p + 4, kNan, ScanStatus::missing};
    if (p[0] == 'N' && p[1] == 'A') return {p + 2, kNan, ScanStatus::missing};
    if (*p == '?') return {p + 1, kNan, ScanStatus::missing};
  }
  if (word_at(p, "infinity")) return {p + 8, 0, ScanStatus::infinite};
  if (word_at(p, "inf")) return {p + 3, 0, ScanStatus::infinite};
  return {begin, 0, ScanStatus::malformed};
}

const char* skip_digits(const char* p) {
  while (is_digit(*p)) ++p;
  return p;
}

// Whether a decimal number out of range is too large for a double rather than too small. `digits`
// has no sign and is not zero.
bool is_huge(std::string_view digits) {
  std::int64_t exponent = 0;
  const std::size_t e = digits.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view power = digits.substr(e + 1);
    const bool negative = power.starts_with('-');
    if (negative || power.starts_with('+')) power.remove_prefix(1);
    const auto result = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (result.ec != std::errc()) exponent = std::numeric_limits<std::int64_t>::max() / 2;
    if (negative) exponent = -exponent;
    digits = digits.substr(0, e);
  }
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t leading = digits.find_first_of("123456789");
  return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(leading) > 0;
}

}  // namespace

FloatScan scan_float_slowly(const char* begin) {
  const char* p = begin;
  const bool negative = *p == '-';
  p += negative || *p == '+';
  const char* const digits = p;
  p = skip_digits(p);
  std::ptrdiff_t count = p - digits;
  if (*p == '.') {
    const char* const point = p++;
    p = skip_digits(p);
    count += p - point - 1;
  }
  if (count == 0) return scan_word(begin, digits);
  if ((*p | 0x20) == 'e') {
    const char* power = p + 1;
    power += *power == '-' || *power == '+';
    if (!is_digit(*power)) return {begin, 0, ScanStatus::malformed};
    p = skip_digits(power);
  }
  double wide = 0;
  if (std::from_chars(digits, p, wide).ec != std::errc()) {
    if (is_huge({digits, static_cast<std::size_t>(p - digits)}))
      return {p, 0, ScanStatus::overflow};
    wide = 0;
  }
  auto value = static_cast<float>(wide);
  // Rounding twice is wrong only at midpoints between floats. Subnormal results are not tested for
  // that: from_chars decides all of them.
  float direct = 0;
  if ((scan::is_midpoint(wide) || wide < std::numeric_limits<float>::min()) &&
      std::from_chars(digits, p, direct).ec == std::errc())
    value = direct;
  if (std::isinf(value)) return {p, 0, ScanStatus::overflow};
  return {p, negative ? -value : value, ScanStatus::number};
}

bool parse_double(std::string_view text, double& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return false;
  if (error == std::errc::result_out_of_range) {
    const bool negative = text.front() == '-';
    if (is_huge(text.substr(negative ? 1 : 0))) return false;
    value = negative ? -0.0 : 0.0;
    return true;
  }
  return error == std::errc() && std::isfinite(value);
}

}  // namespace podium
