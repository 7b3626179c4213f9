// Sums of vectors whose bits depend neither on the order of the additions nor on how they were
// distributed over threads and machines. For inner loops: an addition costs a few vector operations
// per element, whereas ExactSum traverses a long accumulator. It is not exact: each element keeps
// the 64 to 96 bits below its largest summand.
//
// The range of doubles is cut into fixed levels of 32 bits. A summand is split into one integer per
// level, rounded to nearest from the top, and the order in which integers are added does not
// matter. Three levels are kept, starting with the one that holds the largest summand. A summand
// has nothing above its own level, so raising the window late loses exactly what raising it early
// would have lost.
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

  // One summand per element; if there are fewer, for the first elements. At most 2³² calls.
  void add(std::span<const double> values);
  void add(std::size_t i, double value);
  OrderFreeSums& operator+=(const OrderFreeSums& other);  // of the same size

  // NaN where a summand was not finite. Summands below 2⁻⁸⁶⁵ count as 0.
  double value(std::size_t i) const;
  std::vector<double> values() const;

  // A copy as bytes, for other ranks. from_bytes accepts only the output of bytes().
  std::vector<std::byte> bytes() const;
  static OrderFreeSums from_bytes(std::span<const std::byte> bytes);
  // Adds serialised sums of the same size to `into`.
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
