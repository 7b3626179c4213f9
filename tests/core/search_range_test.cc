#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "podium/options.h"

namespace podium::search_range_test {
namespace {

const Value kReal = 1.0, kWhole = std::int64_t{1}, kText = std::string("auto");

TEST(SearchRange, SpansItsEndsOnItsScale) {
  EXPECT_EQ(evenly(2, 4).at(0, kReal), "2");
  EXPECT_EQ(evenly(2, 4).at(0.5, kReal), "3");
  EXPECT_EQ(by_factors(0.01, 100).at(0.5, kReal), "1");
  EXPECT_EQ(by_factors(0.01, 100).at(0.25, kText), "0.1");
  EXPECT_NEAR(std::stod(by_factors(1e-4, 1).at(0.999999, kReal)), 1, 1e-2);
}

TEST(SearchRange, WholeNumbersHaveEqualSharesOfALinearRange) {
  std::vector<int> counts(4);
  for (int i = 0; i < 4000; ++i) ++counts[std::stoul(evenly(0, 3).at((i + 0.5) / 4000, kWhole))];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 1);
}

TEST(SearchRange, WholeNumbersStayInside) {
  for (int i = 0; i <= 1000; ++i) {
    const int value = std::stoi(by_factors(4, 64).at(i / 1000.0, kWhole));
    EXPECT_GE(value, 4);
    EXPECT_LE(value, 64);
  }
}

TEST(SearchRange, ChoicesAreAllReached) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(among({"", "16", "32,16"}).at(i / 100.0, kText));
  EXPECT_EQ(seen, (std::set<std::string>{"", "16", "32,16"}));
}

TEST(SearchRange, HasAText) {
  EXPECT_EQ(by_factors(4, 64).text(), "4 to 64, log scale");
  EXPECT_EQ(evenly(10, 30).text(), "10 to 30");
  EXPECT_EQ(among({"", "16"}).text(), "none | 16");
}

struct Sample {
  double rate = 0.1;
  std::int64_t leaves = 31;
};

TEST(SearchRange, BelongsToAFieldAndCanBeRemoved) {
  auto table = OptionTable<Sample>()
                   .add("rate", &Sample::rate, "how far")
                   .add("leaves", &Sample::leaves, "most")
                   .search("leaves", by_factors(4, 64));
  EXPECT_FALSE(table.fields()[0].search);
  ASSERT_TRUE(table.fields()[1].search);
  table.search("leaves", {});
  EXPECT_FALSE(table.fields()[1].search);
}

}  // namespace
}  // namespace podium::search_range_test
