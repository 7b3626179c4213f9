// The tests on one small experiment, against SciPy 1.17.1 (ttest_rel, wilcoxon, permutation_test,
// binomtest, bootstrap), and degenerate input.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "statistics_support.h"

namespace podium::reference_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<double> kA = {0.412, 0.733, 0.105, 0.528, 0.640, 0.291,
                                0.887, 0.350, 0.476, 0.599, 0.208, 0.761};
const std::vector<double> kB = {0.389, 0.701, 0.140, 0.455, 0.652, 0.230,
                                0.860, 0.350, 0.401, 0.610, 0.150, 0.690};

TEST(Significance, AgreesWithSciPyOnTwelveQueries) {
  TestContext test;
  const PairedDifferences d = paired_differences(kA, kB);
  const TestResult t = paired_t(d);
  EXPECT_NEAR(t.statistic, 2.7458934711894463, 1e-13);
  EXPECT_NEAR(*t.p, 0.019029869253195043, 1e-14);
  const TestResult flips = randomisation(d, 10000, test.context);
  EXPECT_EQ(flips.computation, Computation::exact);
  EXPECT_EQ(*flips.p, 0.0234375);
  EXPECT_NEAR(flips.statistic, 0.030166666666666665, 1e-15);
  const TestResult ranks = wilcoxon(d);
  EXPECT_EQ(ranks.computation, Computation::exact);
  EXPECT_EQ(ranks.queries, 11U);
  EXPECT_EQ(ranks.statistic, 57);  // SciPy reports the smaller of 57 and 9
  EXPECT_EQ(*ranks.p, 0.0322265625);
  // 8 wins, 3 losses: 2 · (165 + 55 + 11 + 1) / 2¹¹.
  EXPECT_NEAR(*sign_test(d).p, 2.0 * (165 + 55 + 11 + 1) / 2048, 1e-15);
  for (const TestResult& result : {t, flips, ranks}) EXPECT_EQ(result.reason, "");
}

TEST(Significance, EffectIsAlwaysShown) {
  const Effect e = effect(paired_differences(kA, kB));
  EXPECT_EQ(e.queries, 12U);
  EXPECT_EQ(e.wins, 8U);
  EXPECT_EQ(e.ties, 1U);
  EXPECT_EQ(e.losses, 3U);
  EXPECT_NEAR(e.mean, 0.030166666666666665, 1e-16);
  EXPECT_NEAR(*e.cohens_dz, 0.7926711673786313, 1e-13);
  EXPECT_NEAR(e.interval->low, 0.005986418467160467, 1e-14);
  EXPECT_NEAR(e.interval->high, 0.054346914866172866, 1e-14);
}

// docs/guide/statistics.md shows these lines.
TEST(Significance, AsTheGuideUsesIt) {
  TestContext test;
  Context& context = test.context;
  const auto &a = kA, &b = kB;
  const PairedDifferences d = paired_differences(a, b);
  const Effect size = effect(d);
  const TestResult t = paired_t(d);
  const TestResult flips = randomisation(d, kPermutations, context);
  const std::string shown = t.p ? std::to_string(*t.p) : t.reason;
  EXPECT_EQ(shown.substr(0, 6), "0.0190");
  EXPECT_EQ(size.queries, flips.queries);
}

TEST(Significance, SignTestAgreesWithSciPyOfManyQueries) {
  const auto wins_of = [](std::size_t wins, std::size_t n) {
    std::vector<double> d(n, -1);
    std::fill_n(d.begin(), wins, 1.0);
    return *sign_test(differences_of(d)).p;
  };
  EXPECT_NEAR(wins_of(9, 11), 0.0654296875, 1e-14);
  EXPECT_NEAR(wins_of(36, 50), 0.0026021714567221466, 1e-14);
  EXPECT_NEAR(wins_of(5100, 10000), 0.04658552770494645, 1e-13);
  EXPECT_EQ(wins_of(5, 10), 1);
}

TEST(Significance, BootstrapAgreesWithSciPy) {
  // SciPy's intervals of 500,000 resamples; the means are multiples of 0.05.
  const auto d = differences_of({0, 0, 0, 1, 0, 2, 0, 5, 0, 9, 0, 0, 14, 0, 1, 3, 0, 0, 0, 22});
  TestContext test;
  const auto percentile = bootstrap_interval(d, Bootstrap::percentile, 0.95, 50000, test.context);
  EXPECT_NEAR(percentile.interval->low, 0.75, 0.051);
  EXPECT_NEAR(percentile.interval->high, 5.6, 0.051);
  const auto bca = bootstrap_interval(d, Bootstrap::bca, 0.95, 50000, test.context);
  EXPECT_NEAR(bca.interval->low, 1.05, 0.051);
  EXPECT_NEAR(bca.interval->high, 6.6, 0.11);
}

TEST(Significance, SkippedQueriesAreDroppedAndCounted) {
  std::vector<double> a = kA, b = kB;
  a.insert(a.begin() + 3, kNan), b.insert(b.begin() + 3, 0.5);
  a.push_back(0.1), b.push_back(kNan);
  a.push_back(kNan), b.push_back(kNan);
  const PairedDifferences d = paired_differences(a, b);
  EXPECT_EQ(d.dropped, 3U);
  EXPECT_EQ(d.values, paired_differences(kA, kB).values);
}

TEST(Significance, RoundingIsNeitherAWinNorBreaksATie) {
  // 0.3 − 0.2, 0.4 − 0.3 and 0.9 − 1 are three different doubles near ±0.1.
  const PairedDifferences d =
      paired_differences(std::vector{0.3, 0.4, 0.9, 0.1 + 0.2}, std::vector{0.2, 0.3, 1.0, 0.3});
  EXPECT_EQ(effect(d).ties, 1U);
  const TestResult result = wilcoxon(d);
  EXPECT_EQ(result.queries, 3U);
  EXPECT_EQ(result.statistic, 4);  // two of three tied ranks 2
  EXPECT_EQ(*result.p, 1);
}

TEST(Significance, NoPValueWhereThereIsNone) {
  TestContext test;
  const std::vector<double> same(9, 0.5), none;
  const auto reasons = [&](std::span<const double> a, std::span<const double> b) {
    std::vector<std::string> texts;
    for (const auto& [name, kind] : paired_tests()) {
      const TestResult result = paired_test(kind, paired_differences(a, b), 1000, test.context);
      EXPECT_EQ(result.p.has_value(), result.reason.empty()) << name;
      EXPECT_EQ(std::isnan(result.statistic), !result.p.has_value()) << name;
      texts.push_back(result.reason);
    }
    return texts;
  };
  for (const std::string& reason : reasons(none, none))
    EXPECT_EQ(reason, "too few queries: 0, and at least 2 are needed");
  for (const std::string& reason : reasons(std::vector{0.5, kNan}, std::vector{0.1, 0.1}))
    EXPECT_EQ(reason,
              "too few queries: 1, and at least 2 are needed (1 without a value were dropped)");
  for (const std::string& reason :
       reasons(std::vector{0.5, kInfinity, 1.0}, std::vector{0.1, kInfinity, 0.2}))
    EXPECT_EQ(reason, "1 of the differences are infinite or beyond 1e100");
  const auto zero = reasons(same, same);
  EXPECT_EQ(zero[0], "all differences are 0: t is undefined");
  EXPECT_EQ(zero[1], "");  // every flip is as extreme: p = 1 is exact
  EXPECT_EQ(zero[2], "all differences are 0: there is nothing to rank");
  EXPECT_EQ(zero[3], "all differences are 0: there are neither wins nor losses");
  EXPECT_EQ(*randomisation(paired_differences(same, same), 1000, test.context).p, 1);
  EXPECT_EQ(paired_t(differences_of({0.1, 0.1, 0.1})).reason,
            "all differences are the same: t is undefined");
}

TEST(Significance, DegenerateEffectsAndIntervals) {
  TestContext test;
  const Effect nothing = effect(paired_differences({}, {}));
  EXPECT_TRUE(std::isnan(nothing.mean));
  EXPECT_FALSE(nothing.cohens_dz || nothing.interval);
  EXPECT_FALSE(effect(differences_of({1})).interval);
  const PairedDifferences zeros = differences_of({0, 0, 0});
  EXPECT_FALSE(effect(zeros).cohens_dz);
  const auto interval =
      bootstrap_interval(zeros, Bootstrap::bca, 0.95, 1000, test.context).interval;
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 0);
  const auto none =
      bootstrap_interval(differences_of({1}), Bootstrap::bca, 0.95, 1000, test.context);
  EXPECT_FALSE(none.interval);
  EXPECT_EQ(none.reason, "too few queries: 1, and at least 2 are needed");
}

TEST(Significance, FewDifferencesCarryAWarning) {
  TestContext test;
  const auto d = differences_of({1, 2, 3, 0});
  EXPECT_EQ(*randomisation(d, 1000, test.context).p, 0.25);
  EXPECT_EQ(randomisation(d, 1000, test.context).warning,
            "3 differences other than 0: p cannot be below 0.25");
  EXPECT_EQ(wilcoxon(d).warning, "3 differences other than 0: p cannot be below 0.25");
}

TEST(Significance, WrongArgumentsAreErrors) {
  TestContext test;
  const auto d = paired_differences(kA, kB);
  EXPECT_THROW(paired_differences(kA, std::vector{1.0}), Error);
  EXPECT_THROW(randomisation(d, 0, test.context), Error);
  EXPECT_THROW(effect(d, 1), Error);
  EXPECT_THROW(effect(d, kNan), Error);
  EXPECT_THROW(bootstrap_interval(d, Bootstrap::bca, 0.95, 39, test.context), Error);
}

TEST(Significance, WinLossAsInTheLiterature) {
  std::vector<double> d;
  for (int i = 1; i <= 50; ++i) d.push_back(i <= 14 ? -i : i);
  const auto differences = differences_of(d);
  EXPECT_EQ(win_loss_text(effect(differences), wilcoxon(differences)), "36/14 **");
  for (double& x : d) x = std::abs(x) * (static_cast<int>(x) % 2 ? 1 : -1);
  const auto even = differences_of(d);
  EXPECT_EQ(win_loss_text(effect(even), wilcoxon(even)), "25/25");
  EXPECT_EQ(win_loss_text(effect(differences_of({1})), wilcoxon(differences_of({1}))), "1/0");
}

}  // namespace
}  // namespace podium::reference_test
