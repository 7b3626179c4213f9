// Sorts documents by score, best first, equal scores by index. Scores become integers that sort in
// the opposite order. No way of sorting them has branches to mispredict: in a short list, the keys
// before each key are counted with vector instructions; a longer list is merged from such
// stretches; a long one uses a radix sort, O(n).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace podium {

struct ScoreKey {
  std::uint64_t score;  // ascending in this number means descending in the score
  std::uint32_t place;
};

// −0 and +0 have the same key. Not for NaN.
inline std::uint64_t descending_key(double score) {
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? bits : ~bits & ~sign;
}
inline double score_of(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(key & sign ? key : ~key & ~sign);
}

// Keys with ascending places, sorted by score, equal ones by place.
void sort_keys(std::vector<ScoreKey>& keys);

}  // namespace podium
