// The exact sum of doubles. Every finite double is an integer multiple of 2⁻¹⁰⁷⁴, so the sum is
// kept as one long integer (a superaccumulator) and rounded once, to nearest-even, when it is read.
// The order of additions changes no bit, so threads and ranks may add in any order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace podium {

class ExactSum {
 public:
  ExactSum& operator+=(double x);
  ExactSum& operator+=(const ExactSum& other);

  // The sum, correctly rounded. Infinities of one sign stay infinite; a NaN, or infinities of both
  // signs, give NaN.
  double value() const;

  // A copy as bytes, for other ranks.
  std::vector<std::byte> bytes() const;
  static ExactSum from_bytes(std::span<const std::byte> bytes);
  static constexpr std::size_t byte_count();

 private:
  // Digit i has the weight 2^(32·i − 1074). Between carries a digit may hold more than 32 bits and
  // either sign.
  static constexpr std::size_t kDigits = 70;
  static constexpr std::uint32_t kMaxPending = std::uint32_t{1} << 30;

  void carry();

  std::array<std::int64_t, kDigits> digits_ = {};
  std::uint32_t pending_ = 0;  // additions since the last carry
  std::uint64_t positive_infinities_ = 0;
  std::uint64_t negative_infinities_ = 0;
  std::uint64_t nans_ = 0;
};

constexpr std::size_t ExactSum::byte_count() {
  return sizeof(std::int64_t) * (kDigits + 3);
}

}  // namespace podium
