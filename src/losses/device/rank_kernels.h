// Ranks a list like SeededRanking (losses/lambda/seeded_ranking.h): by score, the highest first,
// equal scores in the order of a hash. Short lists count for each document how many come before it;
// long ones are sorted by a bitonic network. Both find the one order that there is.
#pragma once

#include <cstdint>

#include "device/kernel.h"

namespace podium {

// −0 and +0 are equal. Ascending keys are descending scores.
PODIUM_BOTH inline std::uint64_t descending_bits(double score) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  const std::uint64_t bits = bits_of(score + 0.0);
  return bits & kSign ? bits : ~bits & ~kSign;
}

// put(rank, place) for each place, by the scores of the places.
template <unsigned kThreads, class Block, class Put>
PODIUM_BOTH void rank_by_counting(Block& block, const double* score, std::uint64_t documents,
                                  Put&& put) {
  block.each([&](unsigned thread) {
    for (std::uint64_t i = thread; i < documents; i += kThreads) {
      const double own = score[i];
      std::uint32_t before = 0;
      for (std::uint64_t j = 0; j < i; ++j) before += score[j] >= own;
      for (std::uint64_t j = i + 1; j < documents; ++j) before += score[j] > own;
      put(before, static_cast<std::uint32_t>(i));
    }
  });
}

struct RankKey {
  std::uint64_t score;
  std::uint32_t place;

  PODIUM_BOTH bool is_before(const RankKey& other) const {
    return score != other.score ? score < other.score : place < other.place;
  }
};

// The smallest power of two that is not below.
PODIUM_BOTH inline std::uint64_t sorting_room(std::uint64_t documents) {
  std::uint64_t room = 1;
  while (room < documents) room *= 2;
  return room;
}

// `keys` has sorting_room(documents) elements, of which those of the documents are set.
template <unsigned kThreads, class Block>
PODIUM_BOTH void sort_keys(Block& block, RankKey* keys, std::uint64_t documents) {
  const std::uint64_t room = sorting_room(documents);
  block.each([&](unsigned thread) {
    for (std::uint64_t i = documents + thread; i < room; i += kThreads)
      keys[i] = {~std::uint64_t{0}, static_cast<std::uint32_t>(i)};
  });
  for (std::uint64_t run = 2; run <= room; run *= 2)
    for (std::uint64_t step = run / 2; step > 0; step /= 2)
      block.each([&](unsigned thread) {
        for (std::uint64_t i = thread; i < room / 2; i += kThreads) {
          const std::uint64_t low = i / step * 2 * step + i % step, high = low + step;
          const bool ascending = (low & run) == 0;
          if (keys[high].is_before(keys[low]) != ascending) continue;
          const RankKey key = keys[low];
          keys[low] = keys[high];
          keys[high] = key;
        }
      });
}

}  // namespace podium
