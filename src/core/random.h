// Counter-based random numbers: Philox4x32-10 [Salmon11]. A number is a pure function of (seed,
// stream, position), the same on every machine, so parallel work uses separate streams and shares
// no state. Everything is integer arithmetic except uniform(), which is exact.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace podium {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  std::uint64_t next() {
    if (used_ == 2) {
      refill();
      used_ = 0;
    }
    return words_[used_++];
  }
  // In [0, 1), a multiple of 2⁻⁵³.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  // In [0, n), without bias; n > 0.
  std::uint64_t below(std::uint64_t n);

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  void refill();

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 2> words_ = {};
  unsigned used_ = 2;
};

// A well-mixed hash of two numbers, for choices that must not depend on order or partition.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);
// The same for a text, such as a name.
std::uint64_t hash_text(std::string_view text);

}  // namespace podium
