// Under the null hypothesis p-values are uniform, and intervals have their nominal coverage. Each
// bound is tight enough that a wrong test exceeds it; the wrong tests are included to show that.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "experiments/statistics/distributions.h"
#include "experiments/statistics/moments.h"
#include "statistics_support.h"

namespace podium::null_hypothesis_test {
namespace {

using Pair = std::vector<std::vector<double>>;
using PValue = std::function<double(const Pair&, Context&)>;

// The distance from uniform of a test's p-values over simulated pairs of equal systems.
double distance_under_null(const PValue& p_of, std::size_t queries, std::size_t simulations) {
  Random random(2024);
  std::vector<double> p;
  for (std::size_t i = 0; i < simulations; ++i) {
    TestContext test(i);
    p.push_back(p_of(correlated_systems(2, queries, random), test.context));
  }
  return distance_from_uniform(p);
}

PairedDifferences differences(const Pair& pair) {
  return paired_differences(pair[0], pair[1]);
}

TEST(NullHypothesis, PairedTIsUniform) {
  const auto right = [](const Pair& pair, Context&) { return *paired_t(differences(pair)).p; };
  EXPECT_LT(distance_under_null(right, 8, 4000), uniform_bound(4000));
  EXPECT_LT(distance_under_null(right, 60, 2000), uniform_bound(2000));
}

TEST(NullHypothesis, NormalTailsInsteadOfStudentsAreCaught) {
  const auto wrong = [](const Pair& pair, Context&) {
    return normal_two_sided(paired_t(differences(pair)).statistic);
  };
  EXPECT_GT(distance_under_null(wrong, 8, 4000), uniform_bound(4000));
}

TEST(NullHypothesis, AnUnpairedTestIsCaught) {
  const auto wrong = [](const Pair& pair, Context&) {
    const Moments a = moments_of(pair[0]), b = moments_of(pair[1]);
    const auto n = static_cast<double>(pair[0].size());
    const double error = std::hypot(a.deviation, b.deviation) / std::sqrt(n);
    return student_t_two_sided((a.mean - b.mean) / error, 2 * n - 2);
  };
  EXPECT_GT(distance_under_null(wrong, 60, 2000), 3 * uniform_bound(2000));
}

TEST(NullHypothesis, RandomisationIsUniformSampledAndExact) {
  const auto right = [](const Pair& pair, Context& context) {
    return *randomisation(differences(pair), 999, context).p;
  };
  EXPECT_LT(distance_under_null(right, 40, 2000), uniform_bound(2000));
  const auto exact = [](const Pair& pair, Context& context) {
    const TestResult result = randomisation(differences(pair), 4096, context);
    EXPECT_EQ(result.computation, Computation::exact);
    return *result.p;
  };
  EXPECT_LT(distance_under_null(exact, 12, 1000), uniform_bound(1000));
}

TEST(NullHypothesis, CountingOneSideOnlyIsCaught) {
  // Halves p, like a test that counts only sums as high as |observed|.
  const auto wrong = [](const Pair& pair, Context& context) {
    return *randomisation(differences(pair), 999, context).p / 2;
  };
  EXPECT_GT(distance_under_null(wrong, 40, 1000), 3 * uniform_bound(1000));
}

TEST(NullHypothesis, WilcoxonIsUniformExactAndNormal) {
  const auto right = [](const Pair& pair, Context&) { return *wilcoxon(differences(pair)).p; };
  EXPECT_LT(distance_under_null(right, 80, 2000), uniform_bound(2000));
  EXPECT_LT(distance_under_null(right, 150, 2000), uniform_bound(2000));
}

TEST(NullHypothesis, TheVarianceOfTheWrongRankSumIsCaught) {
  // W⁺ − W⁻ has four times the variance of W⁺.
  const auto wrong = [](const Pair& pair, Context&) {
    const TestResult result = wilcoxon(differences(pair));
    const auto n = static_cast<double>(result.queries);
    return normal_two_sided((result.statistic - n * (n + 1) / 4) /
                            std::sqrt(n * (n + 1) * (2 * n + 1) / 6));
  };
  EXPECT_GT(distance_under_null(wrong, 150, 1000), 3 * uniform_bound(1000));
}

TEST(NullHypothesis, SignTestIsUniformUpToItsSteps) {
  // One step of the distribution with 2,001 queries is at most 0.036 (the middle).
  const auto right = [](const Pair& pair, Context&) { return *sign_test(differences(pair)).p; };
  EXPECT_LT(distance_under_null(right, 2001, 1000), uniform_bound(1000) + 0.018);
}

// How often 95 % intervals contain the true mean, 0.
double coverage(Bootstrap kind, std::size_t queries, std::size_t simulations) {
  Random random(5);
  double covered = 0;
  for (std::size_t i = 0; i < simulations; ++i) {
    TestContext test(i);
    const auto d = differences(correlated_systems(2, queries, random));
    const Interval interval = *bootstrap_interval(d, kind, 0.95, 499, test.context).interval;
    covered += interval.low <= 0 && 0 <= interval.high;
  }
  return covered / static_cast<double>(simulations);
}

TEST(NullHypothesis, BootstrapIntervalsCover) {
  for (const Bootstrap kind : {Bootstrap::percentile, Bootstrap::bca}) {
    EXPECT_GT(coverage(kind, 60, 1000), 0.92);
    EXPECT_LT(coverage(kind, 60, 1000), 0.97);
  }
}

TEST(NullHypothesis, BcaCoversSkewedDifferencesMoreEvenly) {
  // Exponential differences with mean 1: misses on both sides should be equally frequent, and the
  // percentile interval misses mostly because it is too low.
  Random random(6);
  constexpr std::size_t kSimulations = 1000;
  double misses[2][2] = {};
  for (std::size_t i = 0; i < kSimulations; ++i) {
    TestContext test(i);
    std::vector<double> d(40);
    for (double& x : d) x = -std::log(1 - random.uniform());
    for (const int k : {0, 1}) {
      const auto kind = k ? Bootstrap::bca : Bootstrap::percentile;
      const Interval interval =
          *bootstrap_interval(differences_of(d), kind, 0.95, 499, test.context).interval;
      misses[k][0] += interval.high < 1;
      misses[k][1] += interval.low > 1;
    }
  }
  EXPECT_LT(misses[1][0] - misses[1][1], misses[0][0] - misses[0][1]);
  EXPECT_LT(misses[1][0] + misses[1][1], 0.09 * kSimulations);
}

}  // namespace
}  // namespace podium::null_hypothesis_test
