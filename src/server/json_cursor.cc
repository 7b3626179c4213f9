#include "server/json_cursor.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "core/text_scan.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kMaxCount = 1'000'000'000;

// The value of four hexadecimal digits, or −1.
int hexadecimal(std::string_view digits) {
  int value = 0;
  if (digits.size() < 4) return -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, value, 16);
  return error == std::errc() && end == digits.data() + 4 && digits[0] != '-' ? value : -1;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

const char* skip_digits(const char* p) {
  while (is_digit(*p)) ++p;
  return p;
}

}  // namespace

void JsonCursor::fail(std::string_view message) const {
  throw Error(ErrorCode::data, fmt::format("at byte {}: {}", p_ - begin_ + 1, message));
}

void JsonCursor::expect(char c) {
  if (take(c)) return;
  if (p_ == end_) fail(fmt::format("the text ends where '{}' should be", c));
  fail(fmt::format("expected '{}'", c));
}

void JsonCursor::expect_end() {
  peek();
  if (p_ != end_) fail("something follows the JSON value");
}

bool JsonCursor::next_item(char close, std::size_t items_before) {
  if (take(close)) return false;
  if (items_before > 0) {
    expect(',');
    if (peek() == close) fail("a comma without a value after it");
  }
  return true;
}

// The closing quote of a string that begins at p.
const char* JsonCursor::string_end(const char* p) const {
  for (;; ++p) {
    if (*p == '"') return p;
    if (static_cast<unsigned char>(*p) < 0x20) {
      if (p == end_) fail("a string without an end");
      fail("a control character in a string: write it as \\u00XX");
    }
    if (*p == '\\' && ++p == end_) fail("a string without an end");
  }
}

std::string_view JsonCursor::raw_string() {
  if (peek() != '"') fail("expected a string");
  const char* const first = p_ + 1;
  const char* const last = string_end(first);
  p_ = last + 1;
  return {first, static_cast<std::size_t>(last - first)};
}

std::string JsonCursor::decode(std::string_view raw) const {
  static constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  std::string out;
  while (!raw.empty()) {
    if (raw[0] != '\\') {
      const std::size_t plain = std::min(raw.find('\\'), raw.size());
      out.append(raw.substr(0, plain));
      raw.remove_prefix(plain);
      continue;
    }
    if (const std::size_t which = kEscapes.find(raw[1]); which != kEscapes.npos) {
      out += kMeanings[which];
      raw.remove_prefix(2);
      continue;
    }
    const int unit = raw[1] == 'u' ? hexadecimal(raw.substr(2)) : -1;
    if (unit < 0) fail("an unknown escape in the string before");
    raw.remove_prefix(6);
    auto code = static_cast<std::uint32_t>(unit);
    if (unit >= 0xD800 && unit < 0xE000) {  // half of a surrogate pair
      const int low = raw.starts_with("\\u") ? hexadecimal(raw.substr(2)) : -1;
      if (unit >= 0xDC00 || low < 0xDC00 || low >= 0xE000)
        fail("half of a surrogate pair in the string before");
      raw.remove_prefix(6);
      code = 0x10000 + ((code - 0xD800) << 10) + static_cast<std::uint32_t>(low - 0xDC00);
    }
    append_utf8(out, code);
  }
  return out;
}

bool JsonCursor::take_key(std::string_view raw) {
  if (peek() != '"' || static_cast<std::size_t>(end_ - p_) < raw.size() + 2) return false;
  if (p_[raw.size() + 1] != '"' || std::string_view(p_ + 1, raw.size()) != raw) return false;
  p_ += raw.size() + 2;
  expect(':');
  return true;
}

std::string_view JsonCursor::key() {
  raw_key_ = raw_string();
  expect(':');
  if (raw_key_.find('\\') == raw_key_.npos) return raw_key_;
  decoded_ = decode(raw_key_);
  return decoded_;
}

std::string JsonCursor::string() {
  return decode(raw_string());
}

// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
const char* JsonCursor::number_end() const {
  const char* p = p_ + (*p_ == '-');
  const char* const whole = p;
  p = skip_digits(p);
  if (p == whole) {
    const bool is_word = (*p | 0x20) == 'n' || (*p | 0x20) == 'i';
    fail(is_word ? "JSON has no NaN and no infinity: null stands for a missing value"
                 : "expected a number");
  }
  if (*whole == '0' && p - whole > 1) fail("a number with a leading 0");
  if (*p == '.') {
    const char* const fraction = p + 1;
    p = skip_digits(fraction);
    if (p == fraction) fail("a number without digits after the point");
  }
  if ((*p | 0x20) == 'e') {
    const char* const exponent = p + 1 + (p[1] == '+' || p[1] == '-');
    p = skip_digits(exponent);
    if (p == exponent) fail("a number without digits in its exponent");
  }
  return p;
}

std::optional<bool> JsonCursor::take_truth() {
  peek();
  for (const std::string_view word : {"true", "false"}) {
    if (!std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with(word)) continue;
    p_ += word.size();
    return word == "true";
  }
  return std::nullopt;
}

std::string_view JsonCursor::number_text() {
  peek();
  const char* const first = p_;
  p_ = number_end();
  return {first, static_cast<std::size_t>(p_ - first)};
}

float JsonCursor::number() {
  peek();
  const char* const end = number_end();
  const FloatScan scan = scan_float(p_);
  if (scan.status != ScanStatus::number)
    fail("the number is too large: features have single precision, up to 3.4e38");
  p_ = end;
  return scan.value;
}

float JsonCursor::number_or_null() {
  if (peek() == 'n' && std::string_view(p_, 4) == "null") {
    p_ += 4;
    return std::numeric_limits<float>::quiet_NaN();
  }
  return number();
}

std::size_t JsonCursor::count() {
  const std::string_view text = number_text();
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > kMaxCount)
    fail(fmt::format("'{}' is not a whole number from 0 to {}", text.substr(0, 40), kMaxCount));
  return value;
}

}  // namespace podium
