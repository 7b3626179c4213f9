#include "core/random.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace podium::random_test {
namespace {

TEST(Random, IsPhilox4x32With10Rounds) {
  // The known answer of [Salmon11]'s reference for counter 0 and key 0:
  // 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
  Random random(0, 0);
  EXPECT_EQ(random.next(), 0xe169c58d6627e8d5ULL);
  EXPECT_EQ(random.next(), 0x9b00dbd8bc57ac4cULL);
}

TEST(Random, StreamsAndSeedsDiffer) {
  EXPECT_NE(Random(1, 0).next(), Random(1, 1).next());
  EXPECT_NE(Random(1, 0).next(), Random(2, 0).next());
  EXPECT_EQ(Random(5, 9).next(), Random(5, 9).next());
}

TEST(Random, UniformFillsTheUnitInterval) {
  Random random(3);
  double sum = 0, low = 1, high = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    sum += u;
    low = std::min(low, u);
    high = std::max(high, u);
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
  EXPECT_LT(low, 1e-3);
  EXPECT_GE(low, 0);
  EXPECT_GT(high, 1 - 1e-3);
  EXPECT_LT(high, 1);
}

TEST(Random, BelowIsUniform) {
  Random random(4);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int c : counts) EXPECT_NEAR(c, 10000, 450);
}

TEST(Random, ShufflePermutes) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  Random random(5);
  random.shuffle(std::span(items));
  EXPECT_FALSE(std::is_sorted(items.begin(), items.end()));
  std::sort(items.begin(), items.end());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(items[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace podium::random_test
