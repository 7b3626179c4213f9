#include "losses/lambda/seeded_ranking.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/random.h"
#include "core/sort_scores.h"
#include "losses/pairwise/pair_kernels.h"

namespace podium {
namespace {

// Up to this length counting is faster than sorting, with vectors of eight or more floats.
constexpr std::size_t kShort = 384;
static_assert(kShort % kRankBlock == 0);

using Places = std::span<const std::uint32_t>;

// Counts ranks by scores rounded to float; then corrects those that rounding made equal. False if
// some are not numbers.
bool count(Places by_hash, std::span<const double> scores, std::vector<std::uint32_t>& order) {
  const std::size_t n = scores.size();
  std::array<float, kShort> rounded = {}, rank;
  const double centre = scores[0];
  bool numbers = true;
  for (std::size_t i = 0; i < n; ++i) {
    rounded[i] = static_cast<float>(scores[by_hash[i]] - centre);
    numbers &= rounded[i] == rounded[i];
  }
  if (!numbers) return false;
  pair_kernels().ranks(rounded.data(), n, rank.data());
  for (std::size_t i = 0; i < n; ++i) order[static_cast<std::size_t>(rank[i])] = by_hash[i];
  for (std::size_t r = 1; r < n; ++r) {
    const std::uint32_t place = order[r];
    std::size_t at = r;
    for (; at > 0 && scores[order[at - 1]] < scores[place]; --at) order[at] = order[at - 1];
    order[at] = place;
  }
  return true;
}

void sort(Places by_hash, std::span<const double> scores, std::vector<std::uint32_t>& order) {
  std::vector<ScoreKey> keys(scores.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = {descending_key(scores[by_hash[i]]), static_cast<std::uint32_t>(i)};
  sort_keys(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = by_hash[keys[i].place];
}

}  // namespace

SeededRanking::SeededRanking(const Dataset& data, std::uint64_t seed)
    : data_(data), by_hash_(data.documents()) {
  std::vector<std::uint64_t> hash;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const std::uint64_t query_seed = mix(seed, data.query_key(q));
    const auto places = std::span(by_hash_).subspan(data.begin(q), data.end(q) - data.begin(q));
    std::iota(places.begin(), places.end(), 0U);
    hash.clear();
    for (const std::uint32_t place : places) hash.push_back(mix(query_seed, place));
    std::sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
      return hash[a] != hash[b] ? hash[a] < hash[b] : a < b;
    });
  }
}

std::vector<std::uint32_t> SeededRanking::rank(std::size_t q,
                                               std::span<const double> scores) const {
  const Places by_hash = Places(by_hash_).subspan(data_.begin(q), scores.size());
  std::vector<std::uint32_t> order(scores.size());
  if (scores.size() > kShort || !count(by_hash, scores, order)) sort(by_hash, scores, order);
  return order;
}

}  // namespace podium
