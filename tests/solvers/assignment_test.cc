#include "solvers/assignment.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::assignment_test {
namespace {

double cheapest(std::size_t rows, std::size_t columns, const std::vector<double>& cost) {
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = 1e300;
  do {
    double total = 0;
    for (std::size_t r = 0; r < rows; ++r) total += cost[r * columns + order[r]];
    best = std::min(best, total);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(Assignment, IsTheCheapestOfAll) {
  Random random(1);
  for (int repeat = 0; repeat < 400; ++repeat) {
    const std::size_t columns = 1 + random.below(6), rows = 1 + random.below(columns);
    std::vector<double> cost(rows * columns);
    for (double& x : cost)
      x = repeat % 2 ? random.uniform() * 10 - 5
                     : static_cast<double>(random.below(4));  // with ties
    const auto chosen = assign(rows, columns, cost);
    double total = 0;
    for (std::size_t r = 0; r < rows; ++r) total += cost[r * columns + chosen[r]];
    EXPECT_NEAR(total, cheapest(rows, columns, cost), 1e-12);
    auto sorted = chosen;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
  }
}

TEST(Assignment, SolvesALargeOneWithAKnownAnswer) {
  // cost = (r − c)²: the identity is the only optimum.
  const std::size_t n = 150;
  std::vector<double> cost(n * n);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) {
      const double d = static_cast<double>(r) - static_cast<double>(c);
      cost[r * n + c] = d * d;
    }
  const auto chosen = assign(n, n, cost);
  for (std::size_t r = 0; r < n; ++r) EXPECT_EQ(chosen[r], r);
}

}  // namespace
}  // namespace podium::assignment_test
