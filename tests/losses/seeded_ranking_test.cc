#include "losses/lambda/seeded_ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "core/random.h"
#include "support/toy_data.h"

namespace podium::seeded_ranking_test {
namespace {

using testing::make_dataset;

Dataset list_of(std::size_t n) {
  return make_dataset({n}, 0, {}, std::vector<float>(n, 1.0F));
}

// Lists that are counted and lists that are sorted, with ties, and with scores that differ by less
// than the precision of a float.
TEST(SeededRanking, IsAStableSortOfTheSeedsOrder) {
  Random random(1);
  for (const std::size_t n : {1U, 2U, 15U, 16U, 17U, 120U, 384U, 385U, 2000U}) {
    const Dataset data = list_of(n);
    const SeededRanking ranking(data, 7);
    const auto tied = ranking.rank(0, std::vector<double>(n, 0.5));
    for (const double step : {0.25, 1e-12, 1e300}) {
      std::vector<double> scores(n);
      for (double& s : scores) s = 1000 + step * static_cast<double>(random.below(n));
      auto wanted = tied;
      std::stable_sort(wanted.begin(), wanted.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
      ASSERT_EQ(ranking.rank(0, scores), wanted) << n << " " << step;
    }
  }
}

TEST(SeededRanking, SeedAndQueryResolveTies) {
  const Dataset data = make_dataset({50, 50}, 0, {}, std::vector<float>(100, 1.0F));
  const std::vector<double> tied(50);
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    for (std::size_t q = 0; q < 2; ++q) orders.insert(SeededRanking(data, seed).rank(q, tied));
  EXPECT_EQ(orders.size(), 10U);
}

TEST(SeededRanking, NamesEveryDocumentWhateverTheScores) {
  const Dataset data = list_of(40);
  const SeededRanking ranking(data, 1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double odd : {std::nan(""), kInfinity, -kInfinity})
    for (const std::size_t where : {0U, 7U, 39U}) {
      std::vector<double> scores(40);
      std::iota(scores.begin(), scores.end(), 0.0);
      scores[where] = odd;
      auto order = ranking.rank(0, scores);
      std::sort(order.begin(), order.end());
      for (std::uint32_t i = 0; i < 40; ++i) ASSERT_EQ(order[i], i);
    }
}

}  // namespace
}  // namespace podium::seeded_ranking_test
