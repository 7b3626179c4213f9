#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "experiments/statistics/distributions.h"
#include "statistics_support.h"

namespace podium::wilcoxon_test {
namespace {

// Every sign pattern of the mid-ranks.
double brute_force(const std::vector<double>& d) {
  std::vector<double> nonzero, ranks;
  for (const double x : d)
    if (x != 0) nonzero.push_back(x);
  for (const double x : nonzero) {
    double below = 0, equal = 0;
    for (const double y : nonzero) {
      below += std::abs(y) < std::abs(x);
      equal += std::abs(y) == std::abs(x);
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  const std::size_t n = ranks.size();
  double observed = 0;
  for (std::size_t i = 0; i < n; ++i) observed += nonzero[i] > 0 ? ranks[i] : -ranks[i];
  std::size_t as_extreme = 0;
  for (std::size_t signs = 0; signs < std::size_t{1} << n; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += signs >> i & 1 ? ranks[i] : -ranks[i];
    as_extreme += std::abs(sum) >= std::abs(observed);
  }
  return static_cast<double>(as_extreme) / std::exp2(static_cast<double>(n));
}

RC_GTEST_PROP(Wilcoxon, IsExactWithTiesAndZeros, ()) {
  const auto integers =
      *rc::gen::container<std::vector<int>>(*rc::gen::inRange(2, 13), rc::gen::inRange(-4, 5));
  const std::vector<double> d(integers.begin(), integers.end());
  const TestResult result = wilcoxon(differences_of(d));
  if (!result.p) {
    RC_ASSERT(std::all_of(d.begin(), d.end(), [](double x) { return x == 0; }));
    return;
  }
  RC_ASSERT(std::abs(*result.p - brute_force(d)) < 1e-14);
}

// SciPy 1.17.1: wilcoxon(…, method=PermutationMethod) for the first, which enumerates;
// method="exact" for the second; method="asymptotic", correction=True for the third.
TEST(Wilcoxon, AgreesWithSciPy) {
  EXPECT_NEAR(*wilcoxon(differences_of({1, 1, -1, 2, 2, 3, -3, 3, 4, 5, -2, 6, 6, 0, 0, 1})).p,
              0.027099609375, 1e-15);
  const auto every_third_lost = [](int n) {
    std::vector<double> d;
    for (int i = 1; i <= n; ++i) d.push_back(i % 3 ? i : -i);
    return *wilcoxon(differences_of(d)).p;
  };
  EXPECT_NEAR(every_third_lost(50), 0.02616696817119646, 1e-14);
  EXPECT_NEAR(every_third_lost(100), 0.003526003801650468, 1e-14);
  std::vector<double> many;
  for (int i = 0; i < 150; ++i) many.push_back((i * 37 % 101 - 48) / 10.0);
  const TestResult asymptotic = wilcoxon(differences_of(many));
  EXPECT_EQ(asymptotic.computation, Computation::asymptotic);
  EXPECT_EQ(asymptotic.queries, 149U);
  EXPECT_EQ(asymptotic.statistic, 5956);
  EXPECT_NEAR(*asymptotic.p, 0.4855299106533887, 1e-13);
}

TEST(Wilcoxon, ExactAndNormalAgreeAtAHundred) {
  for (const int third : {3, 4, 5}) {
    std::vector<double> d;
    for (int i = 1; i <= 100; ++i) d.push_back(i % third ? i : -1.6 * i);
    const TestResult exact = wilcoxon(differences_of(d));
    EXPECT_EQ(exact.computation, Computation::exact);
    const double z =
        (std::abs(exact.statistic - 100 * 101 / 4.0) - 0.5) / std::sqrt(100 * 101 * 201 / 24.0);
    EXPECT_NEAR(*exact.p, normal_two_sided(z), 0.001);
    d.push_back(0.5);
    EXPECT_EQ(wilcoxon(differences_of(d)).computation, Computation::asymptotic);
  }
}

TEST(Wilcoxon, WarnsAboutManyQueries) {
  std::vector<double> d(1001);
  Random random(1);
  for (double& x : d) x = random.uniform() - 0.5;
  EXPECT_NE(wilcoxon(differences_of(d)).warning, "");
  d.pop_back();
  EXPECT_EQ(wilcoxon(differences_of(d)).warning, "");
}

}  // namespace
}  // namespace podium::wilcoxon_test
