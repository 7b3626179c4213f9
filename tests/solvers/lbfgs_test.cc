#include "solvers/lbfgs.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/archive.h"

namespace podium::lbfgs_test {
namespace {

LbfgsGo go_on(const LbfgsState&) {
  return LbfgsGo::on;
}

LbfgsState from(std::vector<double> x) {
  LbfgsState state;
  state.x = std::move(x);
  return state;
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

TEST(Lbfgs, MinimisesRosenbrocksFunction) {
  LbfgsState state = from(std::vector<double>(10, -1.2));
  std::int64_t seen = 0;
  double before = HUGE_VAL;
  const auto why = minimize_lbfgs(rosenbrock, state, {.max_iterations = 1000, .tolerance = 1e-9},
                                  [&](const LbfgsState& at) {
                                    EXPECT_EQ(at.iterations, ++seen);
                                    EXPECT_LT(at.value, before);
                                    before = at.value;
                                    return LbfgsGo::on;
                                  });
  EXPECT_EQ(why, LbfgsStop::converged);
  EXPECT_EQ(state.iterations, seen);
  EXPECT_LT(state.evaluations, 150);
  for (const double value : state.x) EXPECT_NEAR(value, 1, 1e-7);
}

// Curvatures from 1 to 10⁴: about as many steps as conjugate gradients would need.
TEST(Lbfgs, SolvesAQuadraticOfFewCurvatures) {
  const auto quadratic = [](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double curvature = std::pow(10.0, static_cast<double>(i % 5));
      gradient[i] = curvature * (x[i] - 3);
      value += 0.5 * gradient[i] * (x[i] - 3);
    }
    return value;
  };
  LbfgsState state = from(std::vector<double>(50));
  EXPECT_EQ(minimize_lbfgs(quadratic, state, {.tolerance = 1e-9}, go_on), LbfgsStop::converged);
  EXPECT_LT(state.evaluations, 60);
  for (const double value : state.x) EXPECT_NEAR(value, 3, 1e-6);
}

TEST(Lbfgs, StopsOnRequestAndResumesFromItsStateWithTheSameBits) {
  LbfgsState whole = from(std::vector<double>(10, -1.2));
  EXPECT_EQ(minimize_lbfgs(rosenbrock, whole, {}, go_on), LbfgsStop::converged);
  LbfgsState part = from(std::vector<double>(10, -1.2));
  LbfgsStop why = LbfgsStop::stopped;
  int runs = 0;
  for (; why == LbfgsStop::stopped; ++runs) {
    const std::int64_t before = part.iterations;
    why = minimize_lbfgs(rosenbrock, part, {}, [&](const LbfgsState& at) {
      return at.iterations == before + 3 ? LbfgsGo::stop : LbfgsGo::on;
    });
    EXPECT_TRUE(why != LbfgsStop::stopped || part.iterations == before + 3);
    ArchiveWriter writer;
    writer(part);
    const auto bytes = writer.take();
    ArchiveReader reader(bytes);
    part = {};
    reader(part);
  }
  EXPECT_GT(runs, 5);
  EXPECT_EQ(why, LbfgsStop::converged);
  EXPECT_EQ(part.x, whole.x);
  EXPECT_EQ(part.iterations, whole.iterations);
  EXPECT_EQ(part.evaluations, whole.evaluations);
}

TEST(Lbfgs, StopsAtTheLimit) {
  LbfgsState state = from(std::vector<double>(10, -1.2));
  EXPECT_EQ(minimize_lbfgs(rosenbrock, state, {.max_iterations = 2}, go_on),
            LbfgsStop::iteration_limit);
  EXPECT_EQ(state.iterations, 2);
}

// log x is NaN for x < 0: steps that go there are undone.
TEST(Lbfgs, StepsBackFromPointsThatAreNotFinite) {
  LbfgsState state = from({20});
  const auto why = minimize_lbfgs(
      [](std::span<const double> at, std::span<double> gradient) {
        gradient[0] = 1 - 0.5 / at[0];
        return at[0] - 0.5 * std::log(at[0]);
      },
      state, {.tolerance = 1e-9}, go_on);
  EXPECT_EQ(why, LbfgsStop::converged);
  EXPECT_NEAR(state.x[0], 0.5, 1e-7);
}

// Linear far away: the first step is much too short, and the search has to extend it repeatedly.
TEST(Lbfgs, LengthensStepsOnASlope) {
  LbfgsState state = from({1e6});
  const auto why = minimize_lbfgs(
      [](std::span<const double> at, std::span<double> gradient) {
        const double root = std::sqrt(1 + at[0] * at[0]);
        gradient[0] = at[0] / root;
        return root;
      },
      state, {}, go_on);
  EXPECT_EQ(why, LbfgsStop::converged);
  EXPECT_NEAR(state.x[0], 0, 1e-6);
  EXPECT_LT(state.evaluations, 60);
}

TEST(Lbfgs, ReportsWhenItCannotContinue) {
  LbfgsState state = from({1, 1});
  const auto wrong = [](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = -at[0];  // uphill
    gradient[1] = -at[1];
    return at[0] * at[0] + at[1] * at[1];
  };
  EXPECT_EQ(minimize_lbfgs(wrong, state, {}, go_on), LbfgsStop::no_lower_step);
  EXPECT_EQ(state.x, (std::vector<double>{1, 1}));
  LbfgsState other = from({1, 1});
  const auto nothing = [](std::span<const double>, std::span<double> gradient) {
    gradient[0] = gradient[1] = 0;
    return std::nan("");
  };
  EXPECT_EQ(minimize_lbfgs(nothing, other, {}, go_on), LbfgsStop::not_finite);
}

// |x| + |y − 1|: at a kink no step meets the conditions, and the best point is kept.
TEST(Lbfgs, EndsAtAKinkWithTheLowestPoint) {
  LbfgsState state = from({3, 5});
  double lowest = HUGE_VAL;
  const auto kinked = [&](std::span<const double> at, std::span<double> gradient) {
    gradient[0] = at[0] > 0 ? 1 : -1;
    gradient[1] = at[1] > 1 ? 1 : -1;
    const double value = std::abs(at[0]) + std::abs(at[1] - 1);
    lowest = std::min(lowest, value);
    return value;
  };
  EXPECT_EQ(minimize_lbfgs(kinked, state, {}, go_on), LbfgsStop::no_lower_step);
  EXPECT_LT(state.value, 0.5);
  EXPECT_EQ(std::abs(state.x[0]) + std::abs(state.x[1] - 1), state.value);
}

TEST(Lbfgs, PassesOnExceptionsOfTheFunction) {
  LbfgsState state = from({1});
  const auto throws = [](std::span<const double>, std::span<double>) -> double {
    throw std::runtime_error("mine");
  };
  EXPECT_THROW(minimize_lbfgs(throws, state, {}, go_on), std::runtime_error);
}

}  // namespace
}  // namespace podium::lbfgs_test
