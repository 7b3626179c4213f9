#include "solvers/interval_barrier.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::interval_barrier_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<ChainGroup> random_groups(Random& random, std::size_t most_groups,
                                      std::size_t most_points) {
  std::vector<ChainGroup> groups(1 + random.below(most_groups));
  const bool coarse = random.below(2) == 0;
  for (ChainGroup& group : groups) {
    group.margin = static_cast<double>(random.below(3));
    group.points.resize(1 + random.below(most_points));
    for (auto& [f, w] : group.points) {
      f = 6 * random.uniform() - 3;
      if (coarse) f = std::round(f);
      w = 0.25 + random.uniform();
    }
    std::sort(group.points.begin(), group.points.end());
  }
  return groups;
}

// A sum of ½ w (r·x + b)₊², ½ p x_i² and −1/μ log(r·x + b), minimised by dense damped Newton. It
// does not use the structure of chains, and eliminates nothing.
class Generic {
 public:
  Generic(Eigen::Index variables, double mu) : prices_(Eigen::VectorXd::Zero(variables)), mu_(mu) {}
  void price(Eigen::Index i, double p) { prices_[i] = p; }
  void hinge(std::vector<std::pair<Eigen::Index, double>> row, double b, double w) {
    hinges_.push_back({std::move(row), b, w});
  }
  void positive(std::vector<std::pair<Eigen::Index, double>> row, double b) {
    logs_.push_back({std::move(row), b, 1 / mu_});
  }

  double value(const Eigen::VectorXd& x) const {
    double sum = 0.5 * x.dot(prices_.cwiseProduct(x));
    for (const Row& row : hinges_) sum += 0.5 * row.weight * std::pow(std::max(0.0, row(x)), 2);
    for (const Row& row : logs_) sum -= row(x) > 0 ? row.weight * std::log(row(x)) : -kInfinity;
    return sum;
  }

  Eigen::VectorXd minimum(Eigen::VectorXd x) const {
    for (int steps = 0; steps < 2000; ++steps) {
      Eigen::VectorXd g = prices_.cwiseProduct(x);
      Eigen::MatrixXd h = prices_.asDiagonal();
      h.diagonal().array() += 1e-9;
      const auto add = [&](const Row& row, double slope, double curvature) {
        for (const auto& [i, a] : row.row) {
          g[i] += slope * a;
          for (const auto& [j, b] : row.row) h(i, j) += curvature * a * b;
        }
      };
      for (const Row& row : hinges_)
        if (row(x) > 0) add(row, row.weight * row(x), row.weight);
      for (const Row& row : logs_) add(row, -row.weight / row(x), row.weight / (row(x) * row(x)));
      const Eigen::VectorXd d = -h.ldlt().solve(g);
      if (-g.dot(d) < 1e-24) break;
      double step = 1;
      while (step > 1e-12 && !(value(x + step * d) <= value(x) + 1e-4 * step * g.dot(d) + 1e-15))
        step *= 0.5;
      x += step * d;
    }
    return x;
  }

 private:
  struct Row {
    std::vector<std::pair<Eigen::Index, double>> row;
    double b, weight;
    double operator()(const Eigen::VectorXd& x) const {
      double sum = b;
      for (const auto& [i, a] : row) sum += a * x[i];
      return sum;
    }
  };
  Eigen::VectorXd prices_;
  double mu_;
  std::vector<Row> hinges_, logs_;
};

// [Moon10] Algorithm 2 as printed, except for the sign of ε: variables l, u, ξ of every group, then
// ε.
struct Direct {
  Eigen::VectorXd x;
  double value;
};
Direct solve_directly(std::span<const ChainGroup> groups, ChainPenalties penalties, double mu) {
  const auto n = static_cast<Eigen::Index>(groups.size());
  Generic problem(4 * n - 1, mu);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(4 * n - 1);
  for (Eigen::Index g = 0; g < n; ++g) {
    const Eigen::Index l = g, u = n + g, xi = 2 * n + g, epsilon = 3 * n + g - 1;
    const ChainGroup& group = groups[static_cast<std::size_t>(g)];
    for (const auto& [f, w] : group.points) {
      problem.hinge({{l, 1}}, -f, w);
      problem.hinge({{u, -1}}, f, w);
    }
    problem.price(xi, penalties.width);
    problem.positive({{u, 1}, {l, -1}}, 0);
    problem.positive({{l, 1}, {xi, 1}, {u, -1}}, 0);
    start[u] = 1;
    start[xi] = 2;
    if (g == 0) continue;
    problem.price(epsilon, penalties.gap);
    problem.positive({{l, 1}, {u - 1, -1}, {epsilon, 1}}, -group.margin);
    start[epsilon] = group.margin + 2;
  }
  const Eigen::VectorXd x = problem.minimum(start);
  return {x, problem.value(x)};
}

TEST(IntervalBarrier, AgreesWithAGenericMinimiserOverAllVariables) {
  Random random(1);
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto groups = random_groups(random, 4, 6);
    const ChainPenalties penalties{std::pow(10, 4 * random.uniform() - 1),
                                   std::pow(10, 4 * random.uniform() - 1)};
    const double mu = std::pow(10, 4 * random.uniform() - 1);
    const ChainFit fit = fit_interval_barrier(groups, penalties, mu);
    const Direct direct = solve_directly(groups, penalties, mu);
    ASSERT_NEAR(fit.value, direct.value, 1e-8 * (1 + std::abs(direct.value)));
    // One group may contain all its points: then it is free to move.
    if (groups.size() == 1) continue;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto at = static_cast<Eigen::Index>(g), n = static_cast<Eigen::Index>(groups.size());
      ASSERT_NEAR(fit.low[g], direct.x[at], 1e-5) << repeat;
      ASSERT_NEAR(fit.high[g], direct.x[n + at], 1e-5) << repeat;
    }
  }
}

TEST(IntervalBarrier, GradientVanishesAfterFewSteps) {
  Random random(2);
  for (const double gap : {0.01, 1.0, 1000.0, kInfinity})
    for (const double width : {0.01, 1.0, 100.0})
      for (const double mu : {0.1, 1.0, 64.0, 1e4})
        for (int repeat = 0; repeat < 40; ++repeat) {
          const auto groups = random_groups(random, repeat % 20 == 0 ? 100 : 6, 20);
          const ChainFit fit = fit_interval_barrier(groups, {gap, width}, mu);
          double weight = 0;
          for (const ChainGroup& group : groups)
            for (const auto& point : group.points) weight += point.second;
          const double forces = weight * (std::abs(fit.high.back()) + std::abs(fit.low.front()));
          // A margin as a constraint leaves 1 / (μ force) between two positions: mostly rounding.
          if (!std::isinf(gap)) {
            ASSERT_LE(fit.residual, 1e-9 * (1 + forces)) << gap << ' ' << width << ' ' << mu;
          }
          ASSERT_LE(fit.steps, 120) << gap << ' ' << width << ' ' << mu;
          for (std::size_t g = 0; g < groups.size(); ++g) {
            ASSERT_LT(fit.low[g], fit.high[g]);
            if (g == 0 || !std::isinf(gap)) continue;
            ASSERT_GT(fit.low[g] - fit.high[g - 1], groups[g].margin - 1e-9);
          }
        }
}

TEST(IntervalBarrier, ConvergesToTheExactSolution) {
  Random random(3);
  for (const double gap : {0.5, 1000.0, kInfinity})
    for (int repeat = 0; repeat < 50; ++repeat) {
      const auto groups = random_groups(random, 5, 10);
      const ChainPenalties penalties{gap, std::pow(10, 3 * random.uniform() - 1)};
      const ChainFit exact = fit_interval_chain(groups, penalties);
      double before = kInfinity;
      for (const double mu : {1e2, 1e4, 1e6, 1e8}) {
        const ChainFit fit = fit_interval_barrier(groups, penalties, mu);
        double away = 0;  // of the points' pulls, which are unique even if an interval's end is not
        for (std::size_t g = 0; g < groups.size(); ++g)
          for (const auto& [f, w] : groups[g].points)
            away = std::max(away, std::abs(std::clamp(f, fit.low[g], fit.high[g]) -
                                           std::clamp(f, exact.low[g], exact.high[g])));
        EXPECT_LT(away, before + 1e-6);
        before = away;
      }
      EXPECT_LT(before, 1e-3);
    }
}

// The paper's expectation for a small μ: for scores that separate grades by no more than the
// margin, the intervals are further apart.
TEST(IntervalBarrier, ASmallMuSeparatesTheGroups) {
  Random random(4);
  std::vector<double> apart(4);
  const double mus[] = {1, 8, 64, 0};
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<ChainGroup> groups(3);
    for (std::size_t g = 0; g < 3; ++g) {
      groups[g].margin = 1;
      for (int i = 0; i < 20; ++i)
        groups[g].points.emplace_back(static_cast<double>(g) + 4 * random.uniform(), 1);
      std::sort(groups[g].points.begin(), groups[g].points.end());
    }
    const ChainPenalties penalties{1000, 100};
    for (std::size_t k = 0; k < 4; ++k) {
      const ChainFit fit = mus[k] > 0 ? fit_interval_barrier(groups, penalties, mus[k])
                                      : fit_interval_chain(groups, penalties);
      apart[k] += (fit.low[1] - fit.high[0] + fit.low[2] - fit.high[1]) / 200;
    }
  }
  EXPECT_GT(apart[0], apart[1]);
  EXPECT_GT(apart[1], apart[2]);
  EXPECT_GT(apart[2], apart[3]);
}

TEST(IntervalBarrier, HugePositionsStayFinite) {
  const std::vector<ChainGroup> groups = {{{{-1e8, 1}, {1e8, 1}}, 0}, {{{-1e8, 1}, {-1e8, 1}}, 1}};
  const ChainFit exact = fit_interval_chain(groups, {1000, 100});
  const ChainFit fit = fit_interval_barrier(groups, {1000, 100}, 1);
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_NEAR(fit.low[g], exact.low[g], 1);
    EXPECT_NEAR(fit.high[g], exact.high[g], 1);
  }
}

TEST(IntervalBarrier, EndsWhereSquaresOverflow) {
  const std::vector<ChainGroup> groups = {{{{-1e160, 1}, {1e160, 1}}, 0}, {{{1, 1}}, 1}};
  const ChainFit fit = fit_interval_barrier(groups, {1000, 100}, 1);
  EXPECT_EQ(fit.low.size(), 2);
}

}  // namespace
}  // namespace podium::interval_barrier_test
