#include "core/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "podium/error.h"

namespace podium {
namespace {

constexpr int kFractionBits = 52;
constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << kFractionBits) - 1;
constexpr std::uint64_t kDigitMask = 0xFFFFFFFF;

}  // namespace

ExactSum& ExactSum::operator+=(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<std::uint32_t>(bits >> kFractionBits & 0x7FF);
  const bool negative = bits >> 63;
  std::uint64_t fraction = bits & kFractionMask;
  if (exponent == 0x7FF) {
    ++(fraction ? nans_ : negative ? negative_infinities_ : positive_infinities_);
    return *this;
  }
  if (exponent) fraction |= kFractionMask + 1;
  if (!fraction) return *this;

  const std::uint32_t shift = exponent ? exponent - 1 : 0;
  const std::size_t digit = shift / 32;
  const std::uint32_t offset = shift % 32;
  const std::uint64_t low = fraction << offset;
  const std::uint64_t high = offset ? fraction >> (64 - offset) : 0;
  const std::int64_t sign = negative ? -1 : 1;
  digits_[digit] += sign * static_cast<std::int64_t>(low & kDigitMask);
  digits_[digit + 1] += sign * static_cast<std::int64_t>(low >> 32);
  digits_[digit + 2] += sign * static_cast<std::int64_t>(high);
  if (++pending_ >= kMaxPending) carry();
  return *this;
}

ExactSum& ExactSum::operator+=(const ExactSum& other) {
  for (std::size_t i = 0; i < kDigits; ++i) digits_[i] += other.digits_[i];
  pending_ += other.pending_;
  if (pending_ >= kMaxPending) carry();
  positive_infinities_ += other.positive_infinities_;
  negative_infinities_ += other.negative_infinities_;
  nans_ += other.nans_;
  return *this;
}

// Leaves every digit but the last in [0, 2³²); the last keeps the sign.
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < kDigits; ++i) {
    digits_[i + 1] += digits_[i] >> 32;
    digits_[i] &= static_cast<std::int64_t>(kDigitMask);
  }
  pending_ = 1;
}

double ExactSum::value() const {
  if (nans_ || (positive_infinities_ && negative_infinities_))
    return std::numeric_limits<double>::quiet_NaN();
  if (positive_infinities_) return std::numeric_limits<double>::infinity();
  if (negative_infinities_) return -std::numeric_limits<double>::infinity();

  ExactSum sum = *this;
  sum.carry();
  const bool negative = sum.digits_[kDigits - 1] < 0;
  if (negative) {
    for (std::int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  std::size_t top = kDigits;
  while (top > 0 && sum.digits_[top - 1] == 0) --top;
  if (top == 0) return 0;

  const auto bit = [&](std::int64_t i) {
    return static_cast<std::uint64_t>(sum.digits_[static_cast<std::size_t>(i) / 32] >> i % 32 & 1);
  };
  const std::int64_t highest = static_cast<std::int64_t>(top - 1) * 32 +
                               std::bit_width(static_cast<std::uint64_t>(sum.digits_[top - 1])) - 1;
  const std::int64_t lowest = std::max<std::int64_t>(0, highest - kFractionBits);
  std::uint64_t mantissa = 0;
  for (std::int64_t i = highest; i >= lowest; --i) mantissa = mantissa << 1 | bit(i);
  if (lowest > 0 && bit(lowest - 1)) {
    bool above_half = mantissa & 1;  // ties go to even
    for (std::int64_t i = lowest - 2; i >= 0 && !above_half; --i) above_half = bit(i);
    mantissa += above_half;
  }
  const double magnitude =
      std::ldexp(static_cast<double>(mantissa), static_cast<int>(lowest - 1074));
  return negative ? -magnitude : magnitude;
}

std::vector<std::byte> ExactSum::bytes() const {
  ExactSum sum = *this;
  sum.carry();
  std::vector<std::byte> bytes(byte_count());
  const std::uint64_t special[] = {positive_infinities_, negative_infinities_, nans_};
  std::memcpy(bytes.data(), sum.digits_.data(), sizeof(sum.digits_));
  std::memcpy(bytes.data() + sizeof(sum.digits_), special, sizeof(special));
  return bytes;
}

ExactSum ExactSum::from_bytes(std::span<const std::byte> bytes) {
  if (bytes.size() != byte_count())
    throw Error(ErrorCode::data, "a sum from another rank has the wrong size");
  ExactSum sum;
  std::uint64_t special[3];
  std::memcpy(sum.digits_.data(), bytes.data(), sizeof(sum.digits_));
  std::memcpy(special, bytes.data() + sizeof(sum.digits_), sizeof(special));
  sum.positive_infinities_ = special[0];
  sum.negative_infinities_ = special[1];
  sum.nans_ = special[2];
  sum.pending_ = 1;
  return sum;
}

}  // namespace podium
