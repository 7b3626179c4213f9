#include "trees/bin_edges.h"

#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/random.h"
#include "trees/sort_floats.h"

namespace podium::bin_edges_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

TEST(ThresholdBetween, IsBetweenAnyTwoNumbers) {
  const float next = std::nextafter(1.0F, 2.0F);
  const float tiny = std::numeric_limits<float>::denorm_min();
  const std::pair<float, float> cases[] = {
      {0, 1},       {-3e38F, 3e38F},   {2e38F, 3e38F},      {-kMax, kMax},          {1, next},
      {-next, -1},  {0, tiny},         {-tiny, 0},          {-kInfinity, 0},        {5, kInfinity},
      {-1e-45F, 1}, {kMax, kInfinity}, {-kInfinity, -kMax}, {-kInfinity, kInfinity}};
  for (const auto& [low, high] : cases) {
    const float t = threshold_between(low, high);
    EXPECT_LE(low, t) << low << " " << high;
    EXPECT_LT(t, high) << low << " " << high;
  }
  EXPECT_EQ(threshold_between(1, 2), 1.5F);
}

TEST(BinThresholds, AreExactForFewValues) {
  const ValueCounts sample{{-1, 0, 4}, {100, 1, 1}};
  EXPECT_EQ(bin_thresholds(sample, 3), (std::vector<float>{-0.5F, 2}));
  EXPECT_EQ(bin_thresholds(sample, 255), (std::vector<float>{-0.5F, 2}));
  EXPECT_TRUE(bin_thresholds(sample, 1).empty());
  EXPECT_TRUE(bin_thresholds({}, 255).empty());
  EXPECT_TRUE(bin_thresholds({{7}, {3}}, 255).empty());
}

std::vector<std::uint64_t> bin_counts(const ValueCounts& sample,
                                      const std::vector<float>& thresholds) {
  std::vector<std::uint64_t> counts(thresholds.size() + 1);
  for (std::size_t i = 0; i < sample.values.size(); ++i)
    counts[static_cast<std::size_t>(
        std::lower_bound(thresholds.begin(), thresholds.end(), sample.values[i]) -
        thresholds.begin())] += sample.counts[i];
  return counts;
}

TEST(BinThresholds, GiveBinsEquallyManyDocuments) {
  ValueCounts sample;
  for (int i = 0; i < 100000; ++i) sample.add(std::exp(static_cast<float>(i) / 5000), 1);
  const auto counts = bin_counts(sample, bin_thresholds(sample, 250));
  ASSERT_EQ(counts.size(), 250U);
  for (const std::uint64_t count : counts) EXPECT_NEAR(static_cast<double>(count), 400, 1);
}

TEST(BinThresholds, GiveFrequentValuesBinsOfTheirOwn) {
  ValueCounts sample;
  for (int i = 0; i < 1000; ++i)
    sample.add(static_cast<float>(i), i == 0 ? 5000 : i % 100 == 7 ? 300 : 1);
  const auto thresholds = bin_thresholds(sample, 64);
  const auto counts = bin_counts(sample, thresholds);
  EXPECT_EQ(counts.size(), 64U);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 5000U), 1);
  EXPECT_EQ(std::count(counts.begin(), counts.end(), 300U), 10);
}

RC_GTEST_PROP(BinThresholds, AreAscendingAndNotTooMany, ()) {
  std::map<float, std::uint64_t> drawn;
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const auto n = *rc::gen::inRange<std::size_t>(1, 600);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = random.uniform();
    drawn[static_cast<float>(std::round(u * u * 1000) - 300)] +=
        random.below(10) == 0 ? random.below(1000) : random.below(3);
  }
  ValueCounts sample;
  for (const auto& [value, count] : drawn) sample.add(value, count);
  const auto most = *rc::gen::inRange<std::size_t>(1, 256);
  const auto thresholds = bin_thresholds(sample, most);
  RC_ASSERT(thresholds.size() + 1 <= std::max<std::size_t>(1, most));
  for (std::size_t i = 1; i < thresholds.size(); ++i) RC_ASSERT(thresholds[i - 1] < thresholds[i]);
  // No bin is empty.
  for (std::size_t b = 0; b <= thresholds.size(); ++b) {
    const auto in_bin = [&](float x) {
      return (b == 0 || x > thresholds[b - 1]) && (b == thresholds.size() || x <= thresholds[b]);
    };
    RC_ASSERT(std::any_of(sample.values.begin(), sample.values.end(), in_bin));
  }
}

TEST(BinThresholds, ValuesWithoutWeightShareTheBins) {
  ValueCounts sample;
  for (const float value : {1.0F, 2.0F, 3.0F, 4.0F}) sample.add(value, 0);
  EXPECT_LE(bin_thresholds(sample, 2).size(), 1U);
}

TEST(SortFloats, SortsLongAndShortLists) {
  Random random(3);
  for (const std::size_t n : {0, 1, 50, 5000}) {
    std::vector<float> values(n);
    for (float& x : values)
      x = static_cast<float>((random.uniform() - 0.5) * std::exp(200 * random.uniform() - 120));
    if (n > 2) values[0] = kInfinity, values[1] = -kInfinity, values[2] = kMax;
    auto expected = values;
    std::sort(expected.begin(), expected.end());
    sort_floats(values);
    EXPECT_EQ(values, expected);
  }
}

}  // namespace
}  // namespace podium::bin_edges_test
