#include "solvers/interval_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/random.h"
#include "solvers/stieltjes.h"

namespace podium::interval_chain_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Stieltjes, SolutionsAreComplementary) {
  Random random(1);
  for (int repeat = 0; repeat < 500; ++repeat) {
    const std::size_t n = 1 + random.below(12);
    Tridiagonal h{std::vector<double>(n, 0.01), std::vector<double>(n)};
    std::vector<double> q(n);
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = 2 * random.uniform() - 1;
      if (i + 1 == n) continue;
      h.off[i] = random.below(4) == 0 ? 0 : -random.uniform();
      h.diagonal[i] -= h.off[i];
      h.diagonal[i + 1] -= h.off[i];
    }
    const auto z = solve_complementarity(h, q);
    for (std::size_t i = 0; i < n; ++i) {
      const double w = product(h, z, i) + q[i];
      EXPECT_GE(z[i], 0);
      EXPECT_GE(w, -1e-9);
      EXPECT_NEAR(z[i] * w, 0, 1e-7);
    }
  }
}

double pulled_objective(std::span<const PulledInterval::Point> points, double width, double up,
                        double down, double low, double high) {
  double value = 0.5 * width * (high - low) * (high - low) - up * low + down * high;
  for (const auto& [f, w] : points)
    value += 0.5 * w * (std::pow(std::max(0.0, low - f), 2) + std::pow(std::max(0.0, f - high), 2));
  return value;
}

TEST(PulledInterval, NoIntervalNearbyIsBetter) {
  Random random(2);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<PulledInterval::Point> points(1 + random.below(6));
    for (auto& [f, w] : points) {
      f = std::round(8 * random.uniform()) / 2;
      w = 0.5 + random.uniform();
    }
    std::sort(points.begin(), points.end());
    const double widths[] = {0, 0.01, 1, 100};
    const double width = widths[repeat % 4];
    const double up = random.below(4) == 0 ? 0 : 6 * random.uniform();
    const double down = random.below(4) == 0 ? 0 : 6 * random.uniform();
    const PulledInterval interval(points, width);
    const auto [low, high, a, b, c] = interval.under(up, down);
    ASSERT_LE(low, high);
    const double best = pulled_objective(points, width, up, down, low, high);
    EXPECT_NEAR(interval.cost(low, high) - up * low + down * high, best, 1e-10);
    for (int trial = 0; trial < 20; ++trial) {
      const double scale = std::pow(10, -3 * random.uniform());
      const double l = low + scale * (random.uniform() - 0.5);
      const double u = std::max(l, high + scale * (random.uniform() - 0.5));
      EXPECT_GE(pulled_objective(points, width, up, down, l, u), best - 1e-10);
    }
    EXPECT_GE(a * b, c * c * (1 - 1e-12));  // positive semi-definite
  }
}

TEST(IntervalChain, ConvergesInAFewSteps) {
  Random random(3);
  for (const double gap : {0.0, 0.01, 1.0, 1e4, kInfinity})
    for (const double width : {0.0, 1e-6, 1.0, 100.0, kInfinity})
      for (int repeat = 0; repeat < 200; ++repeat) {
        std::vector<ChainGroup> groups(1 + random.below(repeat % 20 == 0 ? 200 : 6));
        for (ChainGroup& group : groups) {
          group.margin = static_cast<double>(random.below(3));
          group.points.resize(1 + random.below(20));
          for (auto& [f, w] : group.points) {
            f = repeat % 2 ? 5 * random.uniform() : std::round(5 * random.uniform());
            w = 0.25 + random.uniform();
          }
          std::sort(group.points.begin(), group.points.end());
        }
        const ChainFit fit = fit_interval_chain(groups, {gap, width});
        EXPECT_LE(fit.steps, 30);
        EXPECT_LE(fit.residual, 1e-8);
        for (std::size_t g = 0; g < groups.size(); ++g) {
          ASSERT_LE(fit.low[g], fit.high[g]);
          if (g == 0 || !std::isinf(gap)) continue;
          ASSERT_GE(fit.low[g] - fit.high[g - 1], groups[g].margin - 1e-8);
        }
      }
}

TEST(IntervalChain, HugePositionsStayFinite) {
  const std::vector<ChainGroup> groups = {{{{-1e8, 1}, {1e8, 1}}, 0}, {{{-1e8, 1}, {-1e8, 1}}, 1}};
  const ChainFit fit = fit_interval_chain(groups, {kInfinity, 0});
  // The first group's upper point and both of the second meet: at −1e8/3, minus the margin's share.
  EXPECT_NEAR(fit.high[0], -1e8 / 3 - 2.0 / 3, 1e-6);
  EXPECT_NEAR(fit.low[1], -1e8 / 3 + 1.0 / 3, 1e-6);
  EXPECT_EQ(fit.low[0], -1e8);
}

}  // namespace
}  // namespace podium::interval_chain_test
