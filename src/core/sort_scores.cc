#include "core/sort_scores.h"

#include <algorithm>
#include <array>

namespace podium {
namespace {

constexpr std::size_t kRadixFrom = 1500;  // below, comparisons are faster
constexpr int kBits = 11;
constexpr int kDigits = 6;  // of 64 bits
constexpr std::size_t kBuckets = std::size_t{1} << kBits;

std::size_t digit(std::uint64_t key, int d) {
  return key >> (d * kBits) & (kBuckets - 1);
}

// Least significant digit first; stable, so equal scores keep the order of their places.
void radix_sort(std::vector<ScoreKey>& keys) {
  std::vector<std::array<std::uint32_t, kBuckets>> counts(kDigits);
  for (const ScoreKey& key : keys)
    for (int d = 0; d < kDigits; ++d) ++counts[static_cast<std::size_t>(d)][digit(key.score, d)];
  std::vector<ScoreKey> other(keys.size());
  for (int d = 0; d < kDigits; ++d) {
    auto& count = counts[static_cast<std::size_t>(d)];
    if (count[digit(keys[0].score, d)] == keys.size()) continue;  // all alike in this digit
    std::uint32_t begin = 0;
    for (std::uint32_t& c : count) {
      const std::uint32_t size = c;
      c = begin;
      begin += size;
    }
    for (const ScoreKey& key : keys) other[count[digit(key.score, d)]++] = key;
    keys.swap(other);
  }
}

}  // namespace

void sort_keys(std::vector<ScoreKey>& keys) {
  if (keys.size() >= kRadixFrom) return radix_sort(keys);
  std::sort(keys.begin(), keys.end(), [](const ScoreKey& a, const ScoreKey& b) {
    return a.score != b.score ? a.score < b.score : a.place < b.place;
  });
}

}  // namespace podium
