#include "core/sort_scores.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::sort_scores_test {
namespace {

TEST(SortScores, BestFirstAndTiesByIndexForShortAndLongLists) {
  Random random(1);
  for (const std::size_t n :
       {0, 1, 2, 15, 16, 17, 63, 64, 65, 100, 128, 129, 499, 500, 1000, 20000}) {
    std::vector<double> scores(n);
    for (double& s : scores) {
      const double u = random.uniform() - 0.5;
      s = random.below(3) == 0 ? std::round(u * 8)
                               : u * std::exp2(static_cast<double>(random.below(200)) - 100);
    }
    if (n > 2) scores[0] = -0.0;
    std::vector<ScoreKey> keys;
    for (std::uint32_t i = 0; i < n; ++i) keys.push_back({descending_key(scores[i]), i});
    sort_keys(keys);
    std::vector<std::uint32_t> expected(n);
    for (std::uint32_t i = 0; i < n; ++i) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
    for (std::size_t r = 0; r < n; ++r) {
      ASSERT_EQ(keys[r].place, expected[r]);
      ASSERT_EQ(score_of(keys[r].score), scores[expected[r]]);
    }
  }
}

}  // namespace
}  // namespace podium::sort_scores_test
