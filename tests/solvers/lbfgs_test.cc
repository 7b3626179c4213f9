#include "solvers/lbfgs.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

namespace podium {
namespace {

LbfgsGo go_on(const LbfgsPoint&) {
  return LbfgsGo::on;
}

double rosenbrock(std::span<const double> x, std::span<double> gradient) {
  double value = 0;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
    value += a * a + 100 * b * b;
    gradient[i] -= 2 * a + 400 * x[i] * b;
    gradient[i + 1] += 200 * b;
  }
  return value;
}

TEST(Lbfgs, FindsTheFloorOfRosenbrocksValley) {
  std::vector<double> x(10, -1.2);
  std::int64_t seen = 0;
  double before = HUGE_VAL;
  const auto report = minimize_lbfgs(rosenbrock, x, {.max_iterations = 1000, .tolerance = 1e-9},
                                     [&](const LbfgsPoint& point) {
                                       EXPECT_EQ(point.iteration, ++seen);
                                       EXPECT_LT(point.value, before);
                                       before = point.value;
                                       return LbfgsGo::on;
                                     });
  EXPECT_EQ(report.why, LbfgsStop::converged);
  EXPECT_EQ(report.iterations, seen);
  for (const double value : x) EXPECT_NEAR(value, 1, 1e-7);
}

TEST(Lbfgs, StopsWhenTold) {
  std::vector<double> x(10, -1.2);
  std::vector<double> at;
  const auto report = minimize_lbfgs(rosenbrock, x, {}, [&](const LbfgsPoint& point) {
    at.assign(point.x.begin(), point.x.end());
    return point.iteration == 3 ? LbfgsGo::stop : LbfgsGo::on;
  });
  EXPECT_EQ(report.why, LbfgsStop::stopped);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(x, at);
  EXPECT_EQ(minimize_lbfgs(rosenbrock, x, {.max_iterations = 2}, go_on).why,
            LbfgsStop::iteration_limit);
}

// log x is not a number left of 0: steps that go there are taken back.
TEST(Lbfgs, StepsBackFromPointsThatAreNotFinite) {
  std::vector<double> x = {20};
  const auto report = minimize_lbfgs(
      [](std::span<const double> at, std::span<double> gradient) {
        gradient[0] = 1 - 0.5 / at[0];
        return at[0] - 0.5 * std::log(at[0]);
      },
      x, {.tolerance = 1e-9}, go_on);
  EXPECT_EQ(report.why, LbfgsStop::converged);
  EXPECT_NEAR(x[0], 0.5, 1e-7);
}

TEST(Lbfgs, SaysWhenItCannotGoOn) {
  std::vector<double> x = {1, 1};
  const auto wrong = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = -at[0];  // uphill
    gradient[1] = -at[1];
    return at[0] * at[0] + at[1] * at[1];
  };
  EXPECT_EQ(minimize_lbfgs(wrong, x, {}, go_on).why, LbfgsStop::no_lower_step);
  EXPECT_EQ(x, (std::vector<double>{1, 1}));
  const auto nothing = [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = gradient[1] = 0;
    return std::nan("");
  };
  EXPECT_EQ(minimize_lbfgs(nothing, x, {}, go_on).why, LbfgsStop::not_finite);
}

TEST(Lbfgs, PassesOnExceptionsOfTheFunction) {
  std::vector<double> x = {1};
  const auto throws = [](std::span<const double>, std::span<double>) -> double {
    throw std::runtime_error("mine");
  };
  EXPECT_THROW(minimize_lbfgs(throws, x, {}, go_on), std::runtime_error);
}

}  // namespace
}  // namespace podium
