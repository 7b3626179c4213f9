#include "core/order_free_sums.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "core/exact_sum.h"
#include "core/random.h"

namespace podium::order_free_sums_test {
namespace {

using Summands = std::vector<std::vector<double>>;

// Random vectors of very different sizes, with zeros.
Summands summands(std::size_t count, std::size_t size, int spread, std::uint64_t seed) {
  Random random(seed, 0);
  Summands all(count, std::vector<double>(size));
  for (auto& values : all)
    for (double& x : values) {
      const double exponent = spread * (2 * random.uniform() - 1);
      x = random.uniform() < 0.1 ? 0.0 : std::exp2(exponent) * (2 * random.uniform() - 1);
    }
  return all;
}

OrderFreeSums sum_of(const Summands& all, std::size_t begin, std::size_t end) {
  OrderFreeSums sums(all[0].size());
  for (std::size_t i = begin; i < end; ++i) sums.add(all[i]);
  return sums;
}

TEST(OrderFreeSums, IsCloseToTheExactSum) {
  for (const int spread : {0, 10, 60, 300}) {
    const Summands all = summands(1000, 7, spread, 1);
    const auto sums = sum_of(all, 0, all.size()).values();
    for (std::size_t f = 0; f < sums.size(); ++f) {
      ExactSum exact;
      double largest = 0;
      for (const auto& values : all) {
        exact += values[f];
        largest = std::max(largest, std::abs(values[f]));
      }
      EXPECT_NEAR(sums[f], exact.value(),
                  1000 * std::exp2(-64) * largest + 1e-16 * std::abs(sums[f]))
          << spread;
    }
  }
}

TEST(OrderFreeSums, AnyOrderAndAnySplitGivesTheSameBits) {
  for (const int spread : {0, 20, 100, 400}) {
    const Summands all = summands(300, 67, spread, 2);
    const auto expected = sum_of(all, 0, all.size()).values();
    Random random(3, 0);
    for (int trial = 0; trial < 20; ++trial) {
      Summands shuffled = all;
      for (std::size_t i = shuffled.size(); i > 1; --i)
        std::swap(shuffled[i - 1], shuffled[random.below(i)]);
      const std::size_t cut = random.below(all.size()), second = random.below(all.size());
      const auto [low, high] = std::minmax(cut, second);
      auto sums = sum_of(shuffled, high, shuffled.size());
      sums += sum_of(shuffled, 0, low);
      auto bytes = sums.bytes();
      OrderFreeSums::add_bytes(bytes, sum_of(shuffled, low, high).bytes());
      EXPECT_EQ(OrderFreeSums::from_bytes(bytes).values(), expected) << spread;
    }
  }
}

TEST(OrderFreeSums, CancellationLeavesTheSmallParts) {
  OrderFreeSums sums(1);
  for (const double x : {1e10, 3.0, -1e10, 0x1p-20}) sums.add(0, x);
  EXPECT_EQ(sums.value(0), 3.0 + 0x1p-20);
}

TEST(OrderFreeSums, OneSummandIsUnchanged) {
  Random random(4, 0);
  for (int exponent = -700; exponent < 1023; ++exponent) {
    const double x = std::ldexp(2 * random.uniform() - 1, exponent);
    OrderFreeSums sums(1);
    sums.add(0, x);
    EXPECT_EQ(sums.value(0), x) << exponent;
  }
  OrderFreeSums largest(1);
  largest.add(0, -std::numeric_limits<double>::max());
  EXPECT_EQ(largest.value(0), -std::numeric_limits<double>::max());
}

TEST(OrderFreeSums, NonFiniteSummandsAffectOnlyTheirElement) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {inf, -inf, std::nan("")}) {
    OrderFreeSums sums(3);
    sums.add(std::vector<double>{1, 2, 3});
    sums.add(std::vector<double>{1, bad, 3});
    sums.add(std::vector<double>{1, 2, 3});
    EXPECT_EQ(sums.value(0), 3);
    EXPECT_TRUE(std::isnan(sums.value(1)));
    EXPECT_EQ(sums.value(2), 9);
    OrderFreeSums other(3);
    other.add(std::vector<double>{1, 1, 1});
    other += sums;
    EXPECT_TRUE(std::isnan(other.value(1)));
    EXPECT_EQ(other.value(2), 10);
  }
}

}  // namespace
}  // namespace podium::order_free_sums_test
