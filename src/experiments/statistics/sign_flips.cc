#include "experiments/statistics/sign_flips.h"

#include <algorithm>
#include <cstring>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::size_t kWord = 64;  // rows of one word of signs
constexpr std::size_t kGroup = 4;  // rows of one table
constexpr std::size_t kEntries = 1 << kGroup;
constexpr std::size_t kFlipChunk = 256;  // flips per task

using Tables = FlipRow[kWord / kGroup][kEntries];

// All signed sums of every four of 64 rows. A set bit means minus.
void fill_tables(const FlipRow* rows, Tables& tables) {
  for (FlipRow(&table)[kEntries] : tables) {
    FlipRow pairs[2][4];
    for (int half = 0; half < 2; ++half) {
      const FlipRow &first = rows[2 * half], &second = rows[2 * half + 1];
      pairs[half][0].lanes = first.lanes + second.lanes;
      pairs[half][1].lanes = second.lanes - first.lanes;
      pairs[half][2].lanes = first.lanes - second.lanes;
      pairs[half][3].lanes = -first.lanes - second.lanes;
    }
    for (std::size_t signs = 0; signs < kEntries; ++signs)
      table[signs].lanes = pairs[0][signs & 3].lanes + pairs[1][signs >> 2].lanes;
    rows += kGroup;
  }
}

}  // namespace

double Flips::p(std::uint64_t as_extreme) const {
  if (computation == Computation::exact)
    return static_cast<double>(as_extreme) / static_cast<double>(count);
  return static_cast<double>(as_extreme + 1) / static_cast<double>(count + 1);
}

FlipColumns::FlipColumns(std::span<const std::vector<double>> columns) : columns_(columns.size()) {
  std::vector<std::size_t> kept;
  const std::size_t all_rows = columns.empty() ? 0 : columns.front().size();
  for (std::size_t q = 0; q < all_rows; ++q)
    if (std::any_of(columns.begin(), columns.end(), [&](const auto& c) { return c[q] != 0; }))
      kept.push_back(q);
  rows_ = kept.size();
  words_ = (rows_ + kWord - 1) / kWord;
  panels_ = (columns_ + kFlipLanes - 1) / kFlipLanes;
  values_.resize(panels_ * words_ * kWord);
  for (std::size_t c = 0; c < columns_; ++c) {
    FlipRow* const panel = values_.data() + c / kFlipLanes * words_ * kWord;
    for (std::size_t r = 0; r < rows_; ++r) panel[r].lanes[c % kFlipLanes] = columns[c][kept[r]];
  }
}

Flips FlipColumns::plan(std::size_t permutations, std::uint64_t seed) const {
  const bool enumerable = rows_ < kWord && std::uint64_t{1} << rows_ <= permutations;
  if (enumerable) return {Computation::exact, std::uint64_t{1} << rows_, seed};
  return {Computation::sampled, permutations, seed};
}

void FlipColumns::add_word(std::size_t word, std::span<const std::uint64_t> signs,
                           double* sums) const {
  Tables tables;
  for (std::size_t panel = 0; panel < panels_; ++panel) {
    fill_tables(values_.data() + (panel * words_ + word) * kWord, tables);
    double* at = sums + panel * kFlipLanes;
    for (std::uint64_t bits : signs) {
      FlipRow sum;
      std::memcpy(&sum.lanes, at, sizeof sum.lanes);
      for (const FlipRow(&table)[kEntries] : tables) {
        sum.lanes += table[bits % kEntries].lanes;
        bits /= kEntries;
      }
      std::memcpy(at, &sum.lanes, sizeof sum.lanes);
      at += stride();
    }
  }
}

std::vector<double> FlipColumns::unflipped() const {
  std::vector<double> sums(stride());
  const std::uint64_t no_signs[] = {0};
  for (std::size_t word = 0; word < words_; ++word) add_word(word, no_signs, sums.data());
  sums.resize(columns_);
  return sums;
}

std::vector<std::uint64_t> FlipColumns::count(const Flips& flips, std::size_t counters,
                                              const Tally& tally, ThreadPool& pool) const {
  const auto count_chunk = [&](std::size_t begin, std::size_t end) {
    std::vector<Random> streams;
    for (std::size_t f = begin; f < end; ++f) streams.emplace_back(flips.seed, f);
    std::vector<std::uint64_t> signs(end - begin), counts(counters);
    std::vector<double> sums((end - begin) * stride());
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::size_t i = 0; i < signs.size(); ++i)
        signs[i] = flips.computation == Computation::exact ? begin + i : streams[i].next();
      add_word(word, signs, sums.data());
    }
    tally({end - begin, stride(), sums.data()}, counts);
    return counts;
  };
  return parallel_reduce(pool, flips.count, kFlipChunk, std::vector<std::uint64_t>(counters),
                         count_chunk, [](auto& total, const auto& part) {
                           for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
                         });
}

}  // namespace podium
