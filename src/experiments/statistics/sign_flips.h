// Sums of columns under random signs: S_fc = Σ_q s_fq x_qc, one sign per row q and flip f, the same
// for all columns c. This is the inner loop of every permutation test, a product of a matrix of
// bits and one of doubles. Four rows have only sixteen signed sums, so these are tabulated and a
// flip adds one table entry for every four of its bits.
//
// The signs of flip f are the stream f of the seed, or the bits of f itself if all 2^rows flips are
// enumerated (a set bit means minus). S of complementary signs is exactly −S, additions have a
// fixed order, and counts are added over fixed chunks: the same bits everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "podium/significance.h"

namespace podium {

inline constexpr std::size_t kFlipLanes = 8;  // columns per vector

struct FlipRow {
  using Lanes = double __attribute__((vector_size(kFlipLanes * sizeof(double))));
  Lanes lanes;
};

// Sums of consecutive flips.
struct FlipSums {
  std::size_t flips = 0;
  std::size_t stride = 0;
  const double* sums = nullptr;

  const double* of_flip(std::size_t i) const { return sums + i * stride; }
};

// A set of sign patterns.
struct Flips {
  Computation computation = Computation::exact;  // or sampled
  std::uint64_t count = 0;
  std::uint64_t seed = 0;

  // p for `as_extreme` flips: their fraction if all are enumerated (the observed signs are one of
  // them), (b + 1) / (m + 1) for a sample.
  double p(std::uint64_t as_extreme) const;
};

class FlipColumns {
 public:
  // columns[c][q], all of the same length; rows that are 0 in every column are left out.
  explicit FlipColumns(std::span<const std::vector<double>> columns);

  std::size_t rows() const noexcept { return rows_; }
  // All 2^rows flips if that is at most `permutations`, else that many random ones.
  Flips plan(std::size_t permutations, std::uint64_t seed) const;
  // The sums without flips, added in the same order.
  std::vector<double> unflipped() const;

  using Tally = std::function<void(const FlipSums&, std::span<std::uint64_t> counts)>;
  // Returns `counters` counts; tally adds to them for some consecutive flips.
  std::vector<std::uint64_t> count(const Flips& flips, std::size_t counters, const Tally& tally,
                                   ThreadPool& pool) const;

 private:
  std::size_t stride() const noexcept { return panels_ * kFlipLanes; }
  void add_word(std::size_t word, std::span<const std::uint64_t> signs, double* sums) const;

  std::size_t columns_ = 0, rows_ = 0, words_ = 0, panels_ = 0;
  std::vector<FlipRow> values_;  // [panel][row], rows padded to whole words
};

}  // namespace podium
