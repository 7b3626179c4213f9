#include "experiments/statistics/distributions.h"

#include <cmath>

#include <gtest/gtest.h>

#include "experiments/statistics/incomplete_beta.h"

namespace podium::distributions_test {
namespace {

void expect_relative(double value, double expected, double tolerance, const char* what) {
  EXPECT_NEAR(value, expected, tolerance * std::abs(expected)) << what;
}

// mpmath 1.4.1, 50 digits: betainc(df/2, 1/2, 0, df/(df + t²), regularized=True).
TEST(Distributions, StudentTailsAgreeWithFiftyDigits) {
  constexpr struct {
    double t, degrees, p;
  } kCases[] = {{0.001, 1, 0.99936338043983888},
                {1, 1, 0.5},
                {12.706, 1, 0.050000802358133188},
                {1e6, 1, 6.3661977236736914e-7},
                {2.5, 2, 0.12961172022151081},
                {0.5, 5, 0.63829887164092901},
                {1.7, 9, 0.12334766214382391},
                {2.262, 9, 0.05001284550245463},
                {30, 9, 2.4837047041582624e-10},
                {1.96, 49, 0.05569560784626006},
                {0.01, 49, 0.99206189130835328},
                {3.4, 99, 0.00097269071886732951},
                {1.5, 999, 0.13393035471128499},
                {8.25, 999, 4.9621131172335473e-16},
                {1.7, 9999, 0.089162025837725413},
                {1.75, 9999, 0.080148985754635747},
                {5, 1000000, 5.7339978708907416e-7},
                {0.3, 1000000, 0.76417721797899421},
                {1.7320508, 1000000, 0.083264826371713905}};
  for (const auto& c : kCases) {
    expect_relative(student_t_two_sided(c.t, c.degrees), c.p, 1e-12, "t");
    EXPECT_EQ(student_t_two_sided(-c.t, c.degrees), student_t_two_sided(c.t, c.degrees));
  }
  EXPECT_EQ(student_t_two_sided(0, 7), 1);
  EXPECT_EQ(student_t_two_sided(1e200, 7), 0);
}

// mpmath 1.4.1, 50 digits: betainc(a, b, 0, x, regularized=True).
TEST(Distributions, IncompleteBetaAgreesWithFiftyDigits) {
  constexpr struct {
    double a, b, x, value;
  } kCases[] = {{2, 3, 0.25, 0.26171875},
                {10, 20, 0.375, 0.69649696537330027},
                {0.5, 0.5, 0.125, 0.23005345616261589},
                {60, 41, 0.5, 0.028443966820490396},
                {300, 201, 0.5, 4.4700332711266337e-6},
                {5100, 4901, 0.5, 0.023292763852473694},
                {100.5, 0.5, 0.875, 2.2870903114943849e-7}};
  for (const auto& c : kCases) {
    const double value = regularised_incomplete_beta(c.a, c.b, c.x, 1 - c.x);
    expect_relative(value, c.value, 1e-12, "I");
    EXPECT_NEAR(regularised_incomplete_beta(c.b, c.a, 1 - c.x, c.x), 1 - value, 1e-14);
  }
}

// SciPy 1.17.1: stats.t.ppf, stats.norm.ppf.
TEST(Distributions, QuantilesAgreeWithSciPy) {
  expect_relative(student_t_critical(0.05, 9), 2.262157162798205, 1e-12, "t 9");
  expect_relative(student_t_critical(0.01, 1), 63.656741162871526, 1e-12, "t 1");
  expect_relative(student_t_critical(0.05, 9999), 1.960201263621357, 1e-12, "t 9999");
  expect_relative(normal_quantile(0.025), -1.9599639845400545, 1e-13, "z");
  expect_relative(normal_quantile(0.975), 1.959963984540054, 1e-13, "z");
  expect_relative(normal_quantile(1e-10), -6.361340902404056, 1e-13, "z");
  expect_relative(normal_quantile(0.3), -0.5244005127080409, 1e-13, "z");
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
}

}  // namespace
}  // namespace podium::distributions_test
