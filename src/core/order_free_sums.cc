#include "core/order_free_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "podium/error.h"

namespace podium {
namespace {

constexpr int kLevelBits = 32;
constexpr double kLevel = 4294967296.0;  // 2^kLevelBits
constexpr double kLimit = 2147483648.0;  // half of it: what a level's integer may hold of a summand
// The lowest window's scale, 2^(32·25): summands below its third level vanish.
constexpr double kFinest = 0x1p800;
// Adding this rounds a number below 2⁵¹ to the nearest integer, and leaves it in the low bits.
constexpr double kRounder = 0x1.8p52;

// A scale that marks a sum with a summand that is not finite.
constexpr double kPoisoned = 0;

struct Digits {
  std::int64_t high, middle, low;
};

inline std::int64_t to_integer(double rounded) {
  return std::bit_cast<std::int64_t>(rounded) - std::bit_cast<std::int64_t>(kRounder);
}

// The integers of a summand in units of the window's highest level.
inline Digits split(double scaled) {
  const double high = scaled + kRounder;
  scaled = (scaled - (high - kRounder)) * kLevel;
  const double middle = scaled + kRounder;
  scaled = (scaled - (middle - kRounder)) * kLevel;
  const double low = scaled + kRounder;
  return {to_integer(high), to_integer(middle), to_integer(low)};
}

// The scale of the window whose highest level holds the value.
double scale_for(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| < 2^exponent
  // The least multiple m of 32 with exponent − m < 32: then |value| · 2^−m < 2³¹.
  const int above = exponent - (kLevelBits - 1);
  const int level = above <= 0 ? -(-above / kLevelBits) : (above + kLevelBits - 1) / kLevelBits;
  return std::min(kFinest, std::ldexp(1.0, -kLevelBits * level));
}

template <class T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  const auto more = std::as_bytes(std::span(values));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class T>
void take(std::span<const std::byte>& bytes, std::vector<T>& values) {
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  bytes = bytes.subspan(values.size() * sizeof(T));
}

}  // namespace

OrderFreeSums::OrderFreeSums(std::size_t size)
    : scale_(size, kFinest), high_(size), middle_(size), low_(size) {}

void OrderFreeSums::add(std::span<const double> values) {
  const std::size_t n = values.size();
  constexpr std::size_t kBlock = 64;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t end = std::min(n, begin + kBlock);
    unsigned above = 0;
    for (std::size_t i = begin; i < end; ++i)
      above |= static_cast<unsigned>(!(std::abs(values[i]) * scale_[i] < kLimit));
    if (above) {
      for (std::size_t i = begin; i < end; ++i) add(i, values[i]);
      continue;
    }
    for (std::size_t i = begin; i < end; ++i) {
      const Digits digits = split(values[i] * scale_[i]);
      high_[i] += digits.high;
      middle_[i] += digits.middle;
      low_[i] += digits.low;
    }
  }
}

void OrderFreeSums::add(std::size_t i, double value) {
  raise(i, value);
  if (scale_[i] == kPoisoned) return;
  const Digits digits = split(value * scale_[i]);
  high_[i] += digits.high;
  middle_[i] += digits.middle;
  low_[i] += digits.low;
}

// Moves the window up so that it holds the value.
void OrderFreeSums::raise(std::size_t i, double value) {
  if (!std::isfinite(value))
    raise_to(i, kPoisoned);
  else if (!(std::abs(value) * scale_[i] < kLimit))
    raise_to(i, scale_for(value));
}

void OrderFreeSums::raise_to(std::size_t i, double scale) {
  if (!(scale < scale_[i])) return;
  const bool by_one = scale * kLevel == scale_[i];
  const bool by_two = scale * kLevel * kLevel == scale_[i];
  low_[i] = by_one ? middle_[i] : by_two ? high_[i] : 0;
  middle_[i] = by_one ? high_[i] : 0;
  high_[i] = 0;
  scale_[i] = scale;
}

OrderFreeSums& OrderFreeSums::operator+=(const OrderFreeSums& other) {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    raise_to(i, other.scale_[i]);
    if (scale_[i] == other.scale_[i]) {
      high_[i] += other.high_[i];
      middle_[i] += other.middle_[i];
      low_[i] += other.low_[i];
    } else if (scale_[i] * kLevel == other.scale_[i]) {
      middle_[i] += other.high_[i];
      low_[i] += other.middle_[i];
    } else if (scale_[i] * kLevel * kLevel == other.scale_[i]) {
      low_[i] += other.high_[i];
    }
  }
  return *this;
}

double OrderFreeSums::value(std::size_t i) const {
  if (scale_[i] == kPoisoned) return std::numeric_limits<double>::quiet_NaN();
  // Carries first, so that nothing cancels when the parts are put together.
  std::int64_t high = high_[i], middle = middle_[i];
  const std::int64_t low = low_[i] & 0xffffffff;
  middle += low_[i] >> kLevelBits;
  high += middle >> kLevelBits;
  middle &= 0xffffffff;
  __extension__ using Wide = __int128;
  const Wide whole = static_cast<Wide>(high) * (static_cast<Wide>(1) << 64) +
                     ((static_cast<Wide>(middle) << kLevelBits) + low);
  return static_cast<double>(whole) / (kLevel * kLevel) / scale_[i];
}

std::vector<double> OrderFreeSums::values() const {
  std::vector<double> out(size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(i);
  return out;
}

std::vector<std::byte> OrderFreeSums::bytes() const {
  std::vector<std::byte> bytes;
  bytes.reserve(4 * sizeof(double) * size());
  append(bytes, scale_);
  append(bytes, high_);
  append(bytes, middle_);
  append(bytes, low_);
  return bytes;
}

OrderFreeSums OrderFreeSums::from_bytes(std::span<const std::byte> bytes) {
  OrderFreeSums sums(bytes.size() / (4 * sizeof(double)));
  take(bytes, sums.scale_);
  take(bytes, sums.high_);
  take(bytes, sums.middle_);
  take(bytes, sums.low_);
  return sums;
}

void OrderFreeSums::add_bytes(std::span<std::byte> into, std::span<const std::byte> other) {
  OrderFreeSums sums = from_bytes(into);
  sums += from_bytes(other);
  const auto bytes = sums.bytes();
  std::memcpy(into.data(), bytes.data(), bytes.size());
}

}  // namespace podium
