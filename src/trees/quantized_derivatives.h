// First and second derivatives rounded to small integers, so that histograms are sums of integers:
// exact in any order. A document is one 64-bit word
//
//   first · 2⁴⁰ + second · 2¹⁶ + 1,      |first| ≤ 2047,  0 ≤ second ≤ 1023,
//
// and words can be added field by field as long as no field overflows: the last field counts
// documents.
//
// The units are the largest derivatives over all ranks divided by these bounds. Rounding is
// stochastic, with the exact value as its mean, because most derivatives may be far below the
// largest: the random numbers are a hash of the document's query, its position there and the tree's
// number. If all second derivatives are equal they need no rounding: their unit is their value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/page_array.h"
#include "device/both.h"
#include "podium/context.h"

namespace podium {

// Sums over documents, in units.
struct DerivativeSums {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t documents = 0;

  PODIUM_BOTH DerivativeSums& operator+=(const DerivativeSums& other) {
    first += other.first;
    second += other.second;
    documents += other.documents;
    return *this;
  }
  PODIUM_BOTH DerivativeSums& operator-=(const DerivativeSums& other) {
    first -= other.first;
    second -= other.second;
    documents -= other.documents;
    return *this;
  }
  PODIUM_BOTH friend DerivativeSums operator+(DerivativeSums a, const DerivativeSums& b) {
    return a += b;
  }
  PODIUM_BOTH friend DerivativeSums operator-(DerivativeSums a, const DerivativeSums& b) {
    return a -= b;
  }
  friend bool operator==(const DerivativeSums&, const DerivativeSums&) = default;
};

constexpr std::int64_t kMostFirst = 2047, kMostSecond = 1023;
// The range of the fields of a sum of words.
constexpr std::int64_t kMostFirstSum = (std::int64_t{1} << 23) - 1;
constexpr std::int64_t kMostSecondSum = (std::int64_t{1} << 24) - 1;
constexpr std::int64_t kMostDocuments = (std::int64_t{1} << 16) - 1;

PODIUM_BOTH inline std::uint64_t pack(std::int64_t first, std::int64_t second) {
  return (static_cast<std::uint64_t>(first) << 40) + (static_cast<std::uint64_t>(second) << 16) + 1;
}
PODIUM_BOTH inline DerivativeSums unpack(std::uint64_t word) {
  return {static_cast<std::int64_t>(word) >> 40, static_cast<std::int64_t>(word >> 16 & 0xFFFFFF),
          static_cast<std::int64_t>(word & 0xFFFF)};
}

// The documents to learn from, ascending; nullopt: all.
using DocumentSample = std::optional<std::span<const std::uint32_t>>;

// What the units depend on: the derivatives of all documents to learn from, over all ranks.
struct DerivativeExtent {
  double first = 0;  // largest |first|
  double second = 0;
  double smallest_second = std::numeric_limits<double>::infinity();
  std::uint64_t wrong_first = 0;   // not finite
  std::uint64_t wrong_second = 0;  // not finite or negative
  std::uint64_t documents = 0;

  void add(double g, double h);
  void add(const DerivativeExtent& other);
};
// Collective: all ranks must call it. Throws an Error if a derivative is wrong.
DerivativeExtent extent_over_ranks(const DerivativeExtent& mine, Communicator& comm);

// How one document's derivatives become a word: the same on every device.
struct DerivativeRounding {
  double first_unit = 0;  // 0: all first derivatives are 0
  double second_unit = 1;
  double first_scale = 0, second_scale = 0;
  std::int64_t second_base = 0;
  std::uint32_t shift = 0;  // of the hash

  // λ is a lower bound for the unit of the second derivatives, so that λ in units stays a sensible
  // number. `round`: the tree's number.
  static DerivativeRounding of(const DerivativeExtent& extent, double l2, std::uint64_t seed,
                               std::uint64_t round);

  PODIUM_BOTH std::uint64_t word(double first, double second, std::uint32_t key) const {
    // Two random numbers in [0, 1) of 16 bits each; adding them and truncating is stochastic
    // rounding.
    const std::uint32_t draw = key + shift;
    const double up = (draw >> 16) * 0x1.0p-16, other_up = (draw & 0xFFFF) * 0x1.0p-16;
    const double g = first * first_scale + up + (kMostFirst + 1);
    const double h = second * second_scale + other_up;
    return pack(static_cast<std::int64_t>(g) - (kMostFirst + 1),
                static_cast<std::int64_t>(h) + second_base);
  }
};

class QuantizedDerivatives {
 public:
  // Collective: all ranks must call it. `second` empty: 1 for each document. Throws an Error if a
  // derivative is not finite or a second one is negative.
  void assign(std::span<const double> first, std::span<const double> second,
              const DocumentSample& sample, std::span<const std::uint32_t> keys, double l2,
              std::uint64_t round, Context& context);

  std::span<const std::uint64_t> words() const { return words_.view(); }  // one per document
  const DerivativeExtent& extent() const { return extent_; }              // over all ranks
  double first_unit() const { return rounding_.first_unit; }
  double second_unit() const { return rounding_.second_unit; }

 private:
  PageArray<std::uint64_t> words_;
  DerivativeExtent extent_;
  DerivativeRounding rounding_;
};

}  // namespace podium
