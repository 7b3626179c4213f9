#include "core/sort_scores.h"

#include <algorithm>
#include <array>

#include "core/vector_target.h"

namespace podium {
namespace {

constexpr std::size_t kStretch = 64;     // sorted by counting
constexpr std::size_t kRadixFrom = 500;  // below this, merging is faster
constexpr int kBits = 11;
constexpr int kDigits = 6;  // of 64 bits
constexpr std::size_t kBuckets = std::size_t{1} << kBits;

std::size_t digit(std::uint64_t key, int d) {
  return key >> (d * kBits) & (kBuckets - 1);
}

// Least significant digit first; stable, so equal scores keep their order.
void radix_sort(std::vector<ScoreKey>& keys) {
  std::vector<std::array<std::uint32_t, kBuckets>> counts(kDigits);
  for (const ScoreKey& key : keys)
    for (int d = 0; d < kDigits; ++d) ++counts[static_cast<std::size_t>(d)][digit(key.score, d)];
  std::vector<ScoreKey> other(keys.size());
  for (int d = 0; d < kDigits; ++d) {
    auto& count = counts[static_cast<std::size_t>(d)];
    if (count[digit(keys[0].score, d)] == keys.size()) continue;  // the same digit in all keys
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

// before[i] = #{j < count: scores[j] < scores[i]} for the places up to the next multiple of kLanes.
constexpr std::size_t kLanes = 16;
[[gnu::always_inline]] inline void count_within(const std::uint64_t* scores, std::size_t count,
                                                std::uint64_t* before) {
  for (std::size_t first = 0; first < count; first += kLanes) {
    std::uint64_t smaller[kLanes] = {};
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        smaller[lane] += scores[j] < scores[first + lane];
    std::copy_n(smaller, kLanes, before + first);
  }
}

using Count = void (*)(const std::uint64_t*, std::size_t, std::uint64_t*);

void count_plain(const std::uint64_t* scores, std::size_t count, std::uint64_t* before) {
  count_within(scores, count, before);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void count_avx2(const std::uint64_t* scores, std::size_t count,
                                        std::uint64_t* before) {
  count_within(scores, count, before);
}
#if defined(__clang__)  // Clang does not support the last one
#define PODIUM_AVX512 "avx512f,avx512dq"
#else
#define PODIUM_AVX512 "avx512f,avx512dq,prefer-vector-width=512"
#endif
[[gnu::target(PODIUM_AVX512)]] void count_avx512(const std::uint64_t* scores, std::size_t count,
                                                 std::uint64_t* before) {
  count_within(scores, count, before);
}
#endif

Count choose_count() {
#if defined(__x86_64__)
  const VectorTarget target = vector_target();
  if (target == VectorTarget::avx512 && __builtin_cpu_supports("avx512dq")) return count_avx512;
  if (target >= VectorTarget::avx2) return count_avx2;
#endif
  return count_plain;
}

// At most kStretch keys. Equal keys keep their order.
void sort_by_counting(ScoreKey* keys, std::size_t count) {
  static const Count count_before = choose_count();
  std::array<std::uint64_t, kStretch> scores = {}, before;
  std::array<ScoreKey, kStretch> from;
  for (std::size_t i = 0; i < count; ++i) {
    from[i] = keys[i];
    scores[i] = keys[i].score;
  }
  count_before(scores.data(), count, before.data());
  std::array<std::uint8_t, kStretch> taken = {};  // equal keys placed, by first position
  for (std::size_t i = 0; i < count; ++i) keys[before[i] + taken[before[i]]++] = from[i];
}

ScoreKey* merge(const ScoreKey* a, const ScoreKey* a_end, const ScoreKey* b, const ScoreKey* b_end,
                ScoreKey* out) {
  while (a != a_end && b != b_end) {
    const bool second = b->score < a->score;
    *out++ = second ? *b : *a;
    a += !second;
    b += second;
  }
  return std::copy(b, b_end, std::copy(a, a_end, out));
}

void merge_sort(std::vector<ScoreKey>& keys) {
  const std::size_t n = keys.size();
  for (std::size_t i = 0; i < n; i += kStretch)
    sort_by_counting(keys.data() + i, std::min(kStretch, n - i));
  if (n <= kStretch) return;
  std::vector<ScoreKey> other(n);
  for (std::size_t width = kStretch; width < n; width *= 2) {
    ScoreKey* out = other.data();
    for (std::size_t i = 0; i < n; i += 2 * width) {
      const ScoreKey* middle = keys.data() + std::min(n, i + width);
      out = merge(keys.data() + i, middle, middle, keys.data() + std::min(n, i + 2 * width), out);
    }
    keys.swap(other);
  }
}

}  // namespace

void sort_keys(std::vector<ScoreKey>& keys) {
  const auto by_score = [](const ScoreKey& a, const ScoreKey& b) { return a.score < b.score; };
  if (std::is_sorted(keys.begin(), keys.end(), by_score)) return;
  keys.size() >= kRadixFrom ? radix_sort(keys) : merge_sort(keys);
}

}  // namespace podium
