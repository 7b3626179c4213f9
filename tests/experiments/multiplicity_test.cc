#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/error.h"
#include "statistics_support.h"

namespace podium::multiplicity_test {
namespace {

void expect_near(const PValues& adjusted, const std::vector<double>& expected) {
  ASSERT_EQ(adjusted.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(*adjusted[i], expected[i], 1e-15) << i;
}

// By hand, and statsmodels 0.15.0 (multipletests).
TEST(Multiplicity, AgreesWithHandComputedNumbers) {
  const PValues p = {0.01, 0.04, 0.03, 0.005, 0.5};
  expect_near(holm(p), {0.04, 0.09, 0.09, 0.025, 0.5});
  expect_near(benjamini_hochberg(p), {0.025, 0.05, 0.05, 0.025, 0.5});
  expect_near(holm({0.9, 0.8, 0.7}), {1, 1, 1});
  expect_near(benjamini_hochberg({0.9, 0.8, 0.7}), {0.9, 0.9, 0.9});
}

TEST(Multiplicity, MissingPValuesAreNotCounted) {
  const PValues p = {0.01, std::nullopt, 0.04};
  EXPECT_NEAR(*holm(p)[0], 0.02, 1e-16);
  EXPECT_FALSE(holm(p)[1]);
  EXPECT_NEAR(*benjamini_hochberg(p)[0], 0.02, 1e-16);
  EXPECT_FALSE(benjamini_hochberg(p)[1]);
  EXPECT_TRUE(holm({}).empty());
}

RC_GTEST_PROP(Multiplicity, BenjaminiHochbergLiesBetweenPAndHolm, ()) {
  const auto hundredths = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 101));
  PValues p;
  for (const int h : hundredths) p.emplace_back(h / 100.0);
  const PValues strict = holm(p), lenient = benjamini_hochberg(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    RC_ASSERT(*lenient[i] >= *p[i] - 1e-15);
    RC_ASSERT(*strict[i] >= *lenient[i] - 1e-15);
    RC_ASSERT(*strict[i] <= 1);
  }
}

TEST(Multiplicity, HolmAndBenjaminiHochbergControlTheirErrors) {
  // Twenty true hypotheses with uniform p-values: both control the chance of any rejection.
  Random random(12);
  constexpr int kSimulations = 4000;
  int plain = 0, by_holm = 0, by_bh = 0;
  const auto any = [](const PValues& p) {
    return std::any_of(p.begin(), p.end(), [](const auto& x) { return *x <= 0.05; });
  };
  for (int i = 0; i < kSimulations; ++i) {
    PValues p(20);
    for (auto& x : p) x = random.uniform();
    plain += any(p);
    by_holm += any(holm(p));
    by_bh += any(benjamini_hochberg(p));
  }
  const double bound = kSimulations * 0.05 + 3 * std::sqrt(kSimulations * 0.05 * 0.95);
  EXPECT_LT(by_holm, bound);
  EXPECT_LT(by_bh, bound);
  EXPECT_GT(by_holm, kSimulations * 0.03);
  EXPECT_GT(plain, kSimulations / 2);
}

TEST(WinningNumbers, CountsBeatenSystemsOverAllSets) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  // Set 1: c > a = b. Set 2: a > b > c. Set 3: a > c, b missing.
  const std::vector<std::vector<double>> values = {
      {0.4, 0.6, 0.5}, {0.4, 0.5, kNan}, {0.45, 0.3, 0.2}};
  EXPECT_EQ(winning_numbers(values), (std::vector<std::size_t>{3, 1, 2}));
  EXPECT_TRUE(winning_numbers({}).empty());
  EXPECT_THROW(winning_numbers(std::vector<std::vector<double>>{{1, 2}, {1}}), Error);
}

TEST(Variation, KeepsFoldsAndSeedsApart) {
  // Folds differ by 0.2, seeds by 0.02.
  const std::vector<std::vector<double>> means = {{0.4, 0.6}, {0.42, 0.62}};
  const Variation v = variation(means);
  EXPECT_NEAR(v.mean, 0.51, 1e-15);
  EXPECT_NEAR(*v.over_folds, 0.2 / std::sqrt(2), 1e-15);
  EXPECT_NEAR(*v.over_seeds, 0.02 / std::sqrt(2), 1e-15);
  const Variation single = variation(std::vector<std::vector<double>>{{0.3}});
  EXPECT_EQ(single.mean, 0.3);
  EXPECT_FALSE(single.over_folds || single.over_seeds);
  EXPECT_TRUE(std::isnan(variation({}).mean));
}

}  // namespace
}  // namespace podium::multiplicity_test
