#include "core/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/random.h"
#include "podium/error.h"

namespace podium::exact_sum_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double x : values) sum += x;
  return sum.value();
}

TEST(ExactSum, EmptyIsZero) {
  EXPECT_EQ(ExactSum().value(), 0.0);
}

TEST(ExactSum, OneNumberIsUnchanged) {
  for (const double x :
       {1.0, -1.0, 0.1, kMax, -kMax, kTiny, -kTiny, 3 * kTiny, 0x1p-1022, 1e300, 1e-310})
    EXPECT_EQ(sum_of({x}), x);
}

TEST(ExactSum, SmallTermsSurviveCancellation) {
  EXPECT_EQ(sum_of({1e300, 1.0, -1e300}), 1.0);
  EXPECT_EQ(sum_of({kMax, kTiny, -kMax}), kTiny);
  EXPECT_EQ(sum_of({kMax, kMax, -kMax, -kMax, -2.5}), -2.5);
}

TEST(ExactSum, RoundsToNearestEven) {
  const double half_ulp = 0x1p-53;
  EXPECT_EQ(sum_of({1.0, half_ulp}), 1.0);
  EXPECT_EQ(sum_of({1.0, half_ulp, kTiny}), 1.0 + 0x1p-52);
  EXPECT_EQ(sum_of({1.0 + 0x1p-52, half_ulp}), 1.0 + 0x1p-51);
  EXPECT_EQ(sum_of({-1.0, -half_ulp, -kTiny}), -1.0 - 0x1p-52);
}

TEST(ExactSum, OverflowIsInfiniteOnlyAtTheEnd) {
  EXPECT_EQ(sum_of({kMax, kMax}), kInfinity);
  EXPECT_EQ(sum_of({-kMax, -kMax}), -kInfinity);
  EXPECT_EQ(sum_of({kMax, kMax, -kMax}), kMax);
}

TEST(ExactSum, InfinitiesAndNans) {
  EXPECT_EQ(sum_of({kInfinity, -kMax}), kInfinity);
  EXPECT_EQ(sum_of({-kInfinity, 1}), -kInfinity);
  EXPECT_TRUE(std::isnan(sum_of({kInfinity, -kInfinity})));
  EXPECT_TRUE(std::isnan(sum_of({1, std::nan(""), 2})));
}

// Small integers times powers of two that long double sums without error.
TEST(ExactSum, AgreesWithLongDouble) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    ExactSum sum;
    long double expected = 0;
    for (int i = 0; i < 50; ++i) {
      const double x = std::ldexp(static_cast<double>(random.below(1U << 20)) - 0x1p19,
                                  static_cast<int>(random.below(36)));
      sum += x;
      expected += x;
    }
    EXPECT_EQ(sum.value(), static_cast<double>(expected));
  }
}

RC_GTEST_PROP(ExactSum, OrderAndGroupingChangeNothing,
              (std::vector<double> values, std::uint64_t seed)) {
  const double forward = sum_of(values);
  Random random(seed);
  random.shuffle(std::span<double>(values));
  const std::size_t cut = values.empty() ? 0 : random.below(values.size());
  ExactSum left, right;
  for (std::size_t i = 0; i < values.size(); ++i) (i < cut ? left : right) += values[i];
  right += ExactSum::from_bytes(left.bytes());
  RC_ASSERT(right.value() == forward || (std::isnan(forward) && std::isnan(right.value())));
}

RC_GTEST_PROP(ExactSum, OfTwoIsTheirRoundedSum, (double a, double b)) {
  RC_ASSERT(sum_of({a, b}) == a + b);
}

TEST(ExactSum, ManyMergesLoseNoDigits) {
  ExactSum one, total;
  for (int i = 0; i < 3; ++i) one += -0.1;
  for (int i = 0; i < 100000; ++i) total += one;
  EXPECT_EQ(total.value(), -0.1 * 300000);
}

TEST(ExactSum, RejectsForeignBytes) {
  EXPECT_THROW(ExactSum::from_bytes(std::vector<std::byte>(8)), Error);
}

}  // namespace
}  // namespace podium::exact_sum_test
