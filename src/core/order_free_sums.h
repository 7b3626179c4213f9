// Sums of vectors whose bits depend neither on the order of the additions nor on how they were
// spread over threads and machines. For inner loops: one addition costs a few vector operations an
// element, where ExactSum walks through a long accumulator. It is not exact: of each element it
// keeps what lies within 64 to 96 bits below its largest summand.
//
// The number line is cut into levels of 32 bits, the same for everybody. A summand is split into
// one integer per level, rounded to nearest from the top, and integers add up in any order. Three
// levels are kept, from the one that holds the largest summand down; the split is such that a
// summand has nothing above its own level, so raising the window later loses what an earlier raise
// would have lost, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace podium {

class OrderFreeSums {
 public:
  OrderFreeSums() = default;
  explicit OrderFreeSums(std::size_t size);

  std::size_t size() const noexcept { return scale_.size(); }

  // One summand per element, for the first ones where there are fewer. Up to 2³² of them.
  void add(std::span<const double> values);
  void add(std::size_t i, double value);
  OrderFreeSums& operator+=(const OrderFreeSums& other);                     // of the same size
  void add(const OrderFreeSums& other, std::size_t begin, std::size_t end);  // these elements
  void clear(std::size_t begin, std::size_t end);

  // NaN where a summand was not finite. Summands below 2⁻⁸⁶⁵ count as 0.
  double value(std::size_t i) const;
  std::vector<double> values() const;

  // A copy as bytes, for other ranks. from_bytes takes what bytes() gave.
  std::vector<std::byte> bytes() const;
  static OrderFreeSums from_bytes(std::span<const std::byte> bytes);
  // Adds sums in the form of bytes, of the same size, to `into`.
  static void add_bytes(std::span<std::byte> into, std::span<const std::byte> other);

 private:
  void raise(std::size_t i, double value);
  void raise_to(std::size_t i, double scale);

  // An element is (high_ · 2⁶⁴ + middle_ · 2³² + low_) · 2⁻⁶⁴ / scale_; scale_ is a power of two
  // with |summand| · scale_ < 2³¹.
  std::vector<double> scale_;
  std::vector<std::int64_t> high_, middle_, low_;
};

}  // namespace podium
