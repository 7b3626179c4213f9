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
#include <optional>
#include <span>

#include "core/page_array.h"
#include "podium/context.h"

namespace podium {

// Sums over documents, in units.
struct DerivativeSums {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t documents = 0;

  DerivativeSums& operator+=(const DerivativeSums& other) {
    first += other.first;
    second += other.second;
    documents += other.documents;
    return *this;
  }
  DerivativeSums& operator-=(const DerivativeSums& other) {
    first -= other.first;
    second -= other.second;
    documents -= other.documents;
    return *this;
  }
  friend DerivativeSums operator+(DerivativeSums a, const DerivativeSums& b) { return a += b; }
  friend DerivativeSums operator-(DerivativeSums a, const DerivativeSums& b) { return a -= b; }
  friend bool operator==(const DerivativeSums&, const DerivativeSums&) = default;
};

constexpr std::int64_t kMostFirst = 2047, kMostSecond = 1023;
// The range of the fields of a sum of words.
constexpr std::int64_t kMostFirstSum = (std::int64_t{1} << 23) - 1;
constexpr std::int64_t kMostSecondSum = (std::int64_t{1} << 24) - 1;
constexpr std::int64_t kMostDocuments = (std::int64_t{1} << 16) - 1;

inline std::uint64_t pack(std::int64_t first, std::int64_t second) {
  return (static_cast<std::uint64_t>(first) << 40) + (static_cast<std::uint64_t>(second) << 16) + 1;
}
inline DerivativeSums unpack(std::uint64_t word) {
  return {static_cast<std::int64_t>(word) >> 40, static_cast<std::int64_t>(word >> 16 & 0xFFFFFF),
          static_cast<std::int64_t>(word & 0xFFFF)};
}

// The documents to learn from, ascending; nullopt: all.
using DocumentSample = std::optional<std::span<const std::uint32_t>>;

class QuantizedDerivatives {
 public:
  // Collective: all ranks must call it. `second` empty: 1 for each document. λ is a lower bound for
  // the unit of the second derivatives, so that λ in units stays a sensible number. Throws an Error
  // if a derivative is not finite or a second one is negative.
  void assign(std::span<const double> first, std::span<const double> second,
              const DocumentSample& sample, std::span<const std::uint32_t> keys, double l2,
              std::uint64_t round, Context& context);

  std::span<const std::uint64_t> words() const { return words_.view(); }  // one per document
  double first_unit() const { return first_unit_; }
  double second_unit() const { return second_unit_; }

 private:
  PageArray<std::uint64_t> words_;
  double first_unit_ = 0;  // 0: all derivatives are 0
  double second_unit_ = 1;
};

}  // namespace podium
