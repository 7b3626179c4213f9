#include "losses/pairwise/pair_kernels.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"
#include "losses/lambda/pair_weights.h"
#include "support/on_each_target.h"

namespace podium::pair_kernels_test {
namespace {

class PairKernelsOn : public testing::OnEachTarget {};
PODIUM_ON_EACH_TARGET(PairKernelsOn);

constexpr PairRowKernel PairKernels::*kFunctions[] = {
    &PairKernels::logistic,        &PairKernels::logistic_from_powers,
    &PairKernels::near_logistic,   &PairKernels::near_logistic_from_powers,
    &PairKernels::hinge,           &PairKernels::squared_hinge,
    &PairKernels::exponential,     &PairKernels::fidelity,
    &PairKernels::margin,          &PairKernels::literal_margin,
    &PairKernels::logistic_slopes, &PairKernels::near_logistic_slopes};

struct List {
  std::vector<double> score, power, grade, weight, first, second;
  explicit List(std::size_t n) : score(n), power(n), grade(n), weight(n), first(n), second(n) {}
};

List random_list(std::size_t n, double spread, std::uint64_t seed) {
  Random random(seed);
  List list(block_end(n));
  for (std::size_t i = 0; i < list.score.size(); ++i) {
    list.score[i] = spread * (random.uniform() - 0.5);
    list.power[i] = std::exp(std::max(-150.0, std::min(150.0, list.score[i])));
    list.grade[i] = static_cast<double>(random.below(4));
    list.weight[i] = random.below(4) ? random.uniform() : 0;
  }
  return list;
}

RowSums run(PairRowKernel kernel, List& list, std::size_t pivot, std::size_t begin) {
  const PairRow row{list.score.data(),
                    list.power.data(),
                    list.grade.data(),
                    list.weight.data(),
                    list.first.data(),
                    list.second.data(),
                    pivot,
                    begin,
                    list.score.size()};
  return kernel(row, {0.7, 0.3, 0.01});
}

// All results of the kernels for some lists.
std::vector<double> all_results() {
  std::vector<double> out;
  const auto keep = [&out](const std::vector<double>& more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  for (const double spread : {0.0, 3.0, 200.0, 2e8})
    for (const std::size_t n : {8U, 40U, 120U}) {
      for (const auto function : kFunctions) {
        List list = random_list(n, spread, n);
        const RowSums sums = run(pair_kernels().*function, list, 5, 0);
        EXPECT_TRUE(std::isfinite(sums.value) && std::isfinite(sums.force));
        keep({sums.value, sums.force});
        keep(list.first);
        keep(list.second);
      }
      const List list = random_list(n, spread, n);
      std::vector<double> powers(list.score.size());
      pair_kernels().powers(list.score.data(), powers.size(), 0.5, powers.data());
      keep(powers);
    }
  return out;
}

TEST(PairKernels, EveryInstructionSetComputesTheSameBits) {
  const std::vector<double> expected = all_results();
  for (const std::int64_t target : testing::targets()) {
    testing::choose_target(target);
    EXPECT_EQ(all_results(), expected) << hwy::TargetName(target);
  }
  testing::choose_target(0);
}

// exp: 4e-16 as stated; the logarithm through the logistic cost, which is log1p(e^{−x}).
TEST(PairKernels, ExponentialAndLogarithmAreAccurate) {
  Random random(1);
  for (int repeat = 0; repeat < 4000; ++repeat) {
    std::vector<double> x(kPairBlock), power(kPairBlock);
    for (double& v : x) v = repeat % 2 ? 1400 * random.uniform() - 700 : 4 * random.uniform() - 2;
    pair_kernels().powers(x.data(), kPairBlock, 0, power.data());
    for (std::size_t i = 0; i < kPairBlock; ++i)
      ASSERT_NEAR(power[i] / std::exp(x[i]), 1, 5e-16) << x[i];

    List list(kPairBlock);
    list.score[0] = repeat % 2 ? 100 * random.uniform() - 50 : 2 * random.uniform() - 1;
    list.grade[0] = 1;
    list.weight[1] = 1;
    for (std::size_t i = 0; i < kPairBlock; ++i) list.power[i] = std::exp(list.score[i]);
    const double lead = list.score[0];
    const double cost = lead > 0 ? std::log1p(std::exp(-lead)) : std::log1p(std::exp(lead)) - lead;
    const double p = 1 / (1 + std::exp(lead)), other = 1 / (1 + std::exp(-lead));
    for (const auto kernel : {&PairKernels::logistic, &PairKernels::logistic_from_powers}) {
      List copy = list;
      ASSERT_NEAR(run(pair_kernels().*kernel, copy, 0, 0).value / cost, 1, 2e-15) << lead;
      ASSERT_NEAR(copy.first[0] / p, -1, 2e-15) << lead;
      ASSERT_EQ(copy.first[1], -copy.first[0]);
      ASSERT_NEAR(copy.second[1] / (p * other), 1, 4e-15) << lead;
    }
  }
}

// The kernels of slopes leave out only the value.
TEST(PairKernels, SlopesAreThoseOfTheFullKernels) {
  for (const auto& [whole, slopes] :
       {std::pair(&PairKernels::logistic_from_powers, &PairKernels::logistic_slopes),
        std::pair(&PairKernels::near_logistic_from_powers, &PairKernels::near_logistic_slopes)})
    for (const double spread : {0.0, 3.0, 200.0}) {
      List expected = random_list(120, spread, 1), list = expected;
      const RowSums wanted = run(pair_kernels().*whole, expected, 5, 0);
      const RowSums sums = run(pair_kernels().*slopes, list, 5, 0);
      EXPECT_EQ(sums.value, 0);
      EXPECT_NEAR(sums.force, wanted.force, 1e-14 * wanted.force);
      for (std::size_t i = 0; i < list.first.size(); ++i) {
        EXPECT_NEAR(list.first[i], expected.first[i], 1e-14 * wanted.force) << i;
        EXPECT_NEAR(list.second[i], expected.second[i], 1e-14 * wanted.force) << i;
      }
    }
}

TEST_P(PairKernelsOn, RanksAreThoseOfAStableSort) {
  Random random(3);
  for (std::size_t n = 1; n < 60; ++n) {
    const std::size_t end = (n + kRankBlock - 1) / kRankBlock * kRankBlock;
    std::vector<float> score(end, 99), rank(end);
    for (std::size_t i = 0; i < n; ++i) score[i] = static_cast<float>(random.below(n)) - 5;
    for (std::size_t i = 0; i < n; i += 3)
      if (score[i] == 0) score[i] = -0.0F;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
    pair_kernels().ranks(score.data(), n, rank.data());
    for (std::size_t r = 0; r < n; ++r) ASSERT_EQ(rank[order[r]], static_cast<float>(r)) << n;
  }
}

TEST(PairKernels, ArgumentsBeyondTheRangeCountAsItsEnds) {
  std::vector<double> x = {-1e300, -745, -701, 701, 745, 1e300, 0, -0.0}, power(kPairBlock);
  pair_kernels().powers(x.data(), kPairBlock, 0, power.data());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(power[i] / std::exp(-700.0), 1, 1e-15);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_NEAR(power[i] / std::exp(700.0), 1, 1e-15);
  EXPECT_EQ(power[6], 1);
  EXPECT_EQ(power[7], 1);
}

}  // namespace
}  // namespace podium::pair_kernels_test
