#include "experiments/statistics/sign_flips.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "statistics_support.h"

namespace podium::sign_flips_test {
namespace {

std::vector<std::vector<double>> random_columns(std::size_t columns, std::size_t rows) {
  Random random(columns * 1000 + rows);
  std::vector<std::vector<double>> values(columns, std::vector<double>(rows));
  for (auto& column : values)
    for (double& x : column) x = random.uniform() - 0.4;
  return values;
}

// All sums of all flips, in order.
std::vector<std::vector<double>> all_sums(const FlipColumns& flip_columns, const Flips& flips,
                                          std::size_t columns) {
  std::vector<std::vector<double>> sums;
  ThreadPool pool(1);
  flip_columns.count(
      flips, 0,
      [&](const FlipSums& chunk, std::span<std::uint64_t>) {
        for (std::size_t i = 0; i < chunk.flips; ++i)
          sums.emplace_back(chunk.of_flip(i), chunk.of_flip(i) + columns);
      },
      pool);
  return sums;
}

TEST(SignFlips, SumsAreThoseOfTheStreamsSigns) {
  for (const std::size_t columns : {1, 7, 8, 9, 30})
    for (const std::size_t rows : {20, 64, 65, 200}) {
      const auto values = random_columns(columns, rows);
      const FlipColumns flip_columns(values);
      const Flips flips{Computation::sampled, 300, 77};
      const auto sums = all_sums(flip_columns, flips, columns);
      ASSERT_EQ(sums.size(), 300U);
      for (std::size_t f = 0; f < sums.size(); ++f) {
        Random random(77, f);
        std::vector<double> expected(columns);
        std::uint64_t bits = 0;
        for (std::size_t q = 0; q < rows; ++q, bits >>= 1) {
          if (q % 64 == 0) bits = random.next();
          for (std::size_t c = 0; c < columns; ++c)
            expected[c] += bits & 1 ? -values[c][q] : values[c][q];
        }
        for (std::size_t c = 0; c < columns; ++c) ASSERT_NEAR(sums[f][c], expected[c], 1e-12);
      }
    }
}

TEST(SignFlips, EnumerationHasEveryPatternOnce) {
  const auto values = random_columns(3, 10);
  const FlipColumns flip_columns(values);
  const Flips flips = flip_columns.plan(1024, 5);
  ASSERT_EQ(flips.computation, Computation::exact);
  ASSERT_EQ(flips.count, 1024U);
  const auto sums = all_sums(flip_columns, flips, 3);
  EXPECT_EQ(sums[0], flip_columns.unflipped());
  for (std::size_t f = 0; f < sums.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) {
      double expected = 0;
      for (std::size_t q = 0; q < 10; ++q) expected += f >> q & 1 ? -values[c][q] : values[c][q];
      EXPECT_NEAR(sums[f][c], expected, 1e-14);
      EXPECT_EQ(sums[f][c], -sums[1023 - f][c]);
    }
  EXPECT_EQ(flip_columns.plan(1023, 5).computation, Computation::sampled);
}

TEST(SignFlips, RowsOfZerosAreLeftOut) {
  std::vector<std::vector<double>> values = {{0, 1, 0, 2}, {0, 0, 0, 3}};
  EXPECT_EQ(FlipColumns(values).rows(), 2U);
  values = {{0, 0}, {0, 0}};
  const FlipColumns zeros(values);
  EXPECT_EQ(zeros.plan(100, 1).count, 1U);
  EXPECT_EQ(zeros.unflipped(), (std::vector<double>{0, 0}));
}

TEST(SignFlips, RandomisationIsExactForFewQueries) {
  TestContext test;
  Random random(3);
  for (std::size_t n = 2; n <= 12; ++n) {
    // A coarse grid, so that many sums tie with the observed one.
    std::vector<double> d(n);
    for (double& x : d) x = 0.1 * static_cast<double>(random.below(9)) - 0.3;
    std::size_t as_extreme = 0;
    const auto tenths = [&](std::size_t q) { return std::llround(10 * d[q]); };
    long long observed = 0;
    for (std::size_t q = 0; q < n; ++q) observed += tenths(q);
    for (std::size_t signs = 0; signs < std::size_t{1} << n; ++signs) {
      long long sum = 0;
      for (std::size_t q = 0; q < n; ++q) sum += signs >> q & 1 ? -tenths(q) : tenths(q);
      as_extreme += std::llabs(sum) >= std::llabs(observed);
    }
    const TestResult result = randomisation(differences_of(d), 4096, test.context);
    EXPECT_EQ(result.computation, Computation::exact);
    EXPECT_EQ(*result.p, static_cast<double>(as_extreme) / std::exp2(static_cast<double>(n)));
  }
}

TEST(SignFlips, SampledPApproachesTheExactOne) {
  TestContext test;
  const std::vector<double> d = {3, 1, 4, -1, 5, 9, -2, 6, 5, -3, 5, 8, -9, 7, -9};
  const double exact = *randomisation(differences_of(d), 1 << 15, test.context).p;
  const TestResult sampled = randomisation(differences_of(d), (1 << 15) - 1, test.context);
  EXPECT_EQ(sampled.computation, Computation::sampled);
  EXPECT_NEAR(*sampled.p, exact, 4 * std::sqrt(exact / (1 << 15)));
  // Never below 1 / (m + 1), even if no flip is as extreme.
  EXPECT_EQ(*randomisation(differences_of(std::vector<double>(200, 1)), 99, test.context).p, 0.01);
}

TEST(SignFlips, SameBitsForAnyNumberOfThreads) {
  Random random(8);
  const auto values = correlated_systems(9, 333, random);
  const auto d = paired_differences(values[0], values[1]);
  std::vector<Family> families;
  std::vector<double> p;
  std::vector<Interval> intervals;
  for (const int threads : {1, 2, 4}) {
    TestContext test(42, threads);
    families.push_back(max_t_all_pairs(values, 3000, test.context));
    p.push_back(*randomisation(d, 3000, test.context).p);
    intervals.push_back(*bootstrap_interval(d, Bootstrap::bca, 0.95, 1000, test.context).interval);
  }
  for (std::size_t i = 1; i < p.size(); ++i) {
    EXPECT_EQ(p[i], p[0]);
    EXPECT_EQ(intervals[i].low, intervals[0].low);
    EXPECT_EQ(intervals[i].high, intervals[0].high);
    for (std::size_t m = 0; m < families[0].members.size(); ++m)
      EXPECT_EQ(families[i].members[m].adjusted, families[0].members[m].adjusted);
  }
  TestContext other(43);
  EXPECT_NE(*randomisation(d, 3000, other.context).p, p[0]);
}

}  // namespace
}  // namespace podium::sign_flips_test
