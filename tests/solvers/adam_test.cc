#include "solvers/adam.h"

#include <cmath>

#include <gtest/gtest.h>

namespace podium::adam_test {
namespace {

TEST(Adam, FirstStepsAreAsLongAsTheRateWhateverTheGradientsSize) {
  for (const double size : {1e-4, 1.0, 1e6}) {
    Adam adam(2);
    std::vector<double> x = {0, 5};
    adam.step(x, std::vector<double>{size, -size}, 0.1);
    EXPECT_NEAR(x[0], -0.1, 1e-4);
    EXPECT_NEAR(x[1], 5.1, 1e-4);
  }
}

// Against the recurrences of [Kingma15] Algorithm 1, written out.
TEST(Adam, FollowsThePapersRecurrences) {
  Adam adam(1);
  std::vector<double> x = {1};
  double m = 0, v = 0, y = 1;
  for (int t = 1; t <= 50; ++t) {
    const double g = std::sin(t) + y;
    adam.step(x, std::vector<double>{std::sin(t) + x[0]}, 0.05);
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    y -= 0.05 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    ASSERT_NEAR(x[0], y, 1e-10);
  }
}

TEST(Momentum, GoesTenStepsFarAlongAConstantSlope) {
  Momentum momentum(1);
  std::vector<double> x = {0};
  for (int t = 0; t < 1000; ++t) momentum.step(x, std::vector<double>{1}, 1e-3);
  EXPECT_NEAR(x[0], -10, 0.1);
}

TEST(Schedule, GoesDownFromOne) {
  for (const Schedule s :
       {Schedule::constant, Schedule::cosine, Schedule::step, Schedule::inverse}) {
    EXPECT_EQ(schedule_share(s, 0), 1);
    for (int i = 0; i < 10; ++i)
      EXPECT_LE(schedule_share(s, (i + 1) / 10.0), schedule_share(s, i / 10.0));
  }
  EXPECT_NEAR(schedule_share(Schedule::cosine, 1), 0, 1e-12);
  EXPECT_EQ(schedule_share(Schedule::step, 0.6), 0.1);
}

TEST(ClipNorm, ShortensOnlyLongVectors) {
  std::vector<double> g = {3, 4};
  EXPECT_EQ(clip_norm(g, 0), 5);
  EXPECT_EQ(clip_norm(g, 6), 5);
  EXPECT_EQ(g, (std::vector<double>{3, 4}));
  EXPECT_EQ(clip_norm(g, 1), 5);
  EXPECT_NEAR(g[0], 0.6, 1e-15);
}

}  // namespace
}  // namespace podium::adam_test
