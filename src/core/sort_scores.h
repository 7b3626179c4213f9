// Sorting documents' places by their scores, best first, equal scores by place. Scores become
// integers that sort the other way round; none of the ways to sort them has branches to guess:
// in a short list the keys before each are counted, many at a time; a longer one is merged from
// such stretches; a long one goes through a radix sort, O(n).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace podium {

struct ScoreKey {
  std::uint64_t score;  // ascending in this number is descending in the score
  std::uint32_t place;
};

// −0 and +0 are one score. Not for NaN.
inline std::uint64_t descending_key(double score) {
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? bits : ~bits & ~sign;
}
inline double score_of(std::uint64_t key) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>(key & sign ? key : ~key & ~sign);
}

// Keys whose places ascend, sorted by score, equal ones by place.
void sort_keys(std::vector<ScoreKey>& keys);

}  // namespace podium
