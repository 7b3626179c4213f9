// Sorts crossings by their keys, which ascend with α.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace podium {

// By the upper bits of the key, least significant digit first; then the short stretches in which
// these are equal. The order of crossings with equal keys does not matter.
template <class Crossing>
void sort_by_key(std::vector<Crossing>& crossings, std::vector<Crossing>& scratch) {
  constexpr std::size_t kRadixFrom = 2000;
  constexpr int kBits = 11;
  constexpr std::size_t kDigits = 3, kDigitValues = std::size_t{1} << kBits;
  const auto less = [](const Crossing& x, const Crossing& y) { return x.key < y.key; };
  if (crossings.size() < kRadixFrom) {
    std::sort(crossings.begin(), crossings.end(), less);
    return;
  }
  const auto digit = [](std::uint64_t key, std::size_t d) {
    return key >> (64 - kBits * static_cast<int>(kDigits - d)) & (kDigitValues - 1);
  };
  std::vector<std::array<std::uint32_t, kDigitValues>> counts(kDigits);
  for (const Crossing& crossing : crossings)
    for (std::size_t d = 0; d < kDigits; ++d) ++counts[d][digit(crossing.key, d)];
  scratch.resize(crossings.size());
  for (std::size_t d = 0; d < kDigits; ++d) {
    auto& count = counts[d];
    if (count[digit(crossings[0].key, d)] == crossings.size()) continue;
    std::uint32_t begin = 0;
    for (std::uint32_t& c : count) {
      const std::uint32_t size = c;
      c = begin;
      begin += size;
    }
    for (const Crossing& crossing : crossings) scratch[count[digit(crossing.key, d)]++] = crossing;
    crossings.swap(scratch);
  }
  constexpr int kSorted = 64 - kBits * static_cast<int>(kDigits);
  for (std::size_t begin = 0; begin < crossings.size();) {
    std::size_t end = begin + 1;
    while (end < crossings.size() &&
           crossings[end].key >> kSorted == crossings[begin].key >> kSorted)
      ++end;
    if (end - begin > 1)
      std::sort(crossings.begin() + static_cast<std::ptrdiff_t>(begin),
                crossings.begin() + static_cast<std::ptrdiff_t>(end), less);
    begin = end;
  }
}

}  // namespace podium
