#include "trees/sort_floats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace podium {
namespace {

constexpr std::size_t kShort = 2000;
constexpr unsigned kBits = 11, kPasses = 3;
constexpr std::uint32_t kSign = 0x80000000;

using Counts = std::array<std::uint32_t, std::size_t{1} << kBits>;

std::uint32_t digit(std::uint32_t key, unsigned pass) {
  return key >> (pass * kBits) & ((1U << kBits) - 1);
}

// Integers in the same order as the floats.
std::uint32_t key_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bits & kSign ? ~bits : bits | kSign;
}
float value_of(std::uint32_t key) {
  return std::bit_cast<float>(key & kSign ? key & ~kSign : ~key);
}

}  // namespace

void sort_floats(std::vector<float>& values) {
  if (values.size() < kShort || values.size() > std::numeric_limits<std::uint32_t>::max()) {
    std::sort(values.begin(), values.end());
    return;
  }
  std::vector<std::uint32_t> keys(values.size()), sorted(values.size());
  std::transform(values.begin(), values.end(), keys.begin(), key_of);
  std::array<Counts, kPasses> counts = {};
  for (const std::uint32_t key : keys)
    for (unsigned pass = 0; pass < kPasses; ++pass) ++counts[pass][digit(key, pass)];
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    Counts& begin = counts[pass];
    if (begin[digit(keys[0], pass)] == keys.size())
      continue;  // the same in all values, as for whole numbers
    std::uint32_t before = 0;
    for (std::uint32_t& at : begin) before += std::exchange(at, before);
    for (const std::uint32_t key : keys) sorted[begin[digit(key, pass)]++] = key;
    keys.swap(sorted);
  }
  std::transform(keys.begin(), keys.end(), values.begin(), value_of);
}

}  // namespace podium
