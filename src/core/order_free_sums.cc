#include "core/order_free_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/vector_target.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr int kLevelBits = 32;
constexpr double kLevel = 4294967296.0;  // 2^kLevelBits
constexpr double kLimit = 2147483648.0;  // half of it: the limit of a summand in one level
// The lowest window's scale, 2^(32·25): summands below its third level vanish.
constexpr double kFinest = 0x1p800;
constexpr int kFinestLevel = -25;
constexpr int kSubnormalLevel = 32;  // from this level on, a scale is subnormal
// Adding this rounds a number below 2⁵¹ to the nearest integer, and leaves it in the low bits.
constexpr double kRounder = 0x1.8p52;

// A scale that marks a sum as having a summand that is not finite.
constexpr double kPoisoned = 0;

struct Digits {
  std::int64_t high, middle, low;
};

[[gnu::always_inline]] inline std::int64_t to_integer(double rounded) {
  return std::bit_cast<std::int64_t>(rounded) - std::bit_cast<std::int64_t>(kRounder);
}

// The integers of a summand in units of the window's highest level.
[[gnu::always_inline]] inline Digits split(double scaled) {
  const double high = scaled + kRounder;
  scaled = (scaled - (high - kRounder)) * kLevel;
  const double middle = scaled + kRounder;
  scaled = (scaled - (middle - kRounder)) * kLevel;
  const double low = scaled + kRounder;
  return {to_integer(high), to_integer(middle), to_integer(low)};
}

// Adds to `count` elements. If a value is too large for its window, returns false and adds nothing.
[[gnu::always_inline]] inline bool add_within(const double* values, const double* scale,
                                              std::int64_t* high, std::int64_t* middle,
                                              std::int64_t* low, std::size_t count) {
  std::int64_t above = 0;
  for (std::size_t i = 0; i < count; ++i)
    above |= static_cast<std::int64_t>(!(std::abs(values[i]) * scale[i] < kLimit));
  if (above) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const Digits digits = split(values[i] * scale[i]);
    high[i] += digits.high;
    middle[i] += digits.middle;
    low[i] += digits.low;
  }
  return true;
}

using AddBlock = bool (*)(const double*, const double*, std::int64_t*, std::int64_t*, std::int64_t*,
                          std::size_t);

bool add_plain(const double* values, const double* scale, std::int64_t* high, std::int64_t* middle,
               std::int64_t* low, std::size_t count) {
  return add_within(values, scale, high, middle, low, count);
}

// The same operations, four elements at a time.
#if defined(__x86_64__)
[[gnu::target("avx2")]] bool add_avx2(const double* values, const double* scale, std::int64_t* high,
                                      std::int64_t* middle, std::int64_t* low, std::size_t count) {
  return add_within(values, scale, high, middle, low, count);
}
#endif

AddBlock choose_add_block() {
#if defined(__x86_64__)
  if (vector_target() >= VectorTarget::avx2) return add_avx2;
#endif
  return add_plain;
}

// The scale of the window whose highest level holds the value, which is finite.
double scale_for(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1022;  // |value| < 2^exponent
  // The least multiple m of 32 with exponent − m < 32: then |value| · 2^−m < 2³¹.
  const int above = exponent - (kLevelBits - 1);
  const int level = above <= 0 ? -(-above / kLevelBits) : (above + kLevelBits - 1) / kLevelBits;
  if (level <= kFinestLevel) return kFinest;
  if (level >= kSubnormalLevel) return std::ldexp(1.0, -kLevelBits * level);
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 - kLevelBits * level) << 52);
}

template <class T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  const auto more = std::as_bytes(std::span(values));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class T>
void take(std::span<const std::byte>& bytes, std::vector<T>& values) {
  if (values.empty()) return;
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  bytes = bytes.subspan(values.size() * sizeof(T));
}

}  // namespace

OrderFreeSums::OrderFreeSums(std::size_t size)
    : scale_(size, kFinest), high_(size), middle_(size), low_(size) {}

void OrderFreeSums::add(std::span<const double> values) {
  static const auto add_block = choose_add_block();
  constexpr std::size_t kBlock = 64;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    const std::size_t count = std::min(values.size() - begin, kBlock);
    const auto try_all = [&] {
      return add_block(values.data() + begin, scale_.data() + begin, high_.data() + begin,
                       middle_.data() + begin, low_.data() + begin, count);
    };
    if (try_all()) continue;
    for (std::size_t i = begin; i < begin + count; ++i) raise(i, values[i]);
    if (try_all()) continue;
    for (std::size_t i = begin; i < begin + count; ++i) add(i, values[i]);  // some are poisoned
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
  // Carries first, so that nothing cancels when the parts are added.
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
