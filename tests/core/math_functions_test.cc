// Podium's functions against those of the C library in extended precision, whose 64 bits make the
// error of the reference about a thousandth of a double's last place.
#include "core/math_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::math_functions_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr int kPoints = 200'000;

// |found − wanted| in units of the last place of a double near `wanted`.
double error_in_units(double found, long double wanted) {
  if (std::abs(wanted) > static_cast<long double>(kLargest))
    return std::isinf(found) || found == std::copysign(kLargest, found) ? 0 : kInfinity;
  int exponent = 0;
  std::frexp(wanted, &exponent);
  const int last = std::max(exponent - 53, -1074);
  return static_cast<double>(std::ldexp(std::abs(found - wanted), -last));
}

using Function = std::function<double(double)>;
using Reference = std::function<long double(long double)>;

// Random points of [low, high], and as many with exponents spread over the whole range.
void expect_within(double bound, const Function& f, const Reference& reference, double low,
                   double high) {
  Random random(20, 7);
  double worst = 0, at = 0;
  const auto check = [&](double x) {
    const double error = error_in_units(f(x), reference(x));
    if (error <= worst) return;
    worst = error;
    at = x;
  };
  for (int i = 0; i < kPoints; ++i) {
    check(low + (high - low) * random.uniform());
    const double end = random.uniform() < 0.5 ? low : high;
    check(std::ldexp(end * random.uniform(), -static_cast<int>(random.below(60))));
  }
  EXPECT_LT(worst, bound) << "at " << at;
}

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

TEST(MathFunctions, ExpIsWithinAUnit) {
  const Reference reference = [](long double x) { return std::exp(x); };
  expect_within(0.52, math::exp, reference, -1, 1);
  expect_within(0.52, math::exp, reference, -700, 709.5);
  expect_within(0.80, math::exp, reference, -745, -705);  // subnormal results round twice
  for (const double x : {0.0, -0.0, kSmallest, -kSmallest}) EXPECT_EQ(math::exp(x), 1);
  EXPECT_EQ(math::exp(kInfinity), kInfinity);
  EXPECT_EQ(math::exp(710), kInfinity);
  EXPECT_EQ(math::exp(kLargest), kInfinity);
  EXPECT_EQ(math::exp(-kInfinity), 0);
  EXPECT_EQ(math::exp(-746), 0);
  EXPECT_EQ(math::exp(-kLargest), 0);
  EXPECT_EQ(math::exp(-745), kSmallest);
  EXPECT_TRUE(std::isnan(math::exp(kNan)));
}

TEST(MathFunctions, Exp2IsWithinAUnitAndExactForWholeNumbers) {
  const Reference reference = [](long double x) { return std::exp2(x); };
  expect_within(0.52, math::exp2, reference, -1, 1);
  expect_within(0.52, math::exp2, reference, -1020, 1023.9);
  expect_within(0.80, math::exp2, reference, -1075, -1020);
  for (int n = -1074; n <= 1023; ++n) EXPECT_EQ(math::exp2(n), std::ldexp(1.0, n));
  EXPECT_EQ(math::exp2(1024), kInfinity);
  EXPECT_EQ(math::exp2(kInfinity), kInfinity);
  EXPECT_EQ(math::exp2(-1076), 0);
  EXPECT_EQ(math::exp2(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(math::exp2(kNan)));
}

TEST(MathFunctions, Expm1IsWithinAUnit) {
  const Reference reference = [](long double x) { return std::expm1(x); };
  expect_within(0.80, math::expm1, reference, -0.4, 0.4);
  expect_within(0.80, math::expm1, reference, -50, 709.5);
  for (const double x : {0.0, -0.0, kSmallest, -kSmallest, 1e-300})
    EXPECT_EQ(bits(math::expm1(x)), bits(x));
  EXPECT_EQ(math::expm1(kInfinity), kInfinity);
  EXPECT_EQ(math::expm1(-kInfinity), -1);
  EXPECT_EQ(math::expm1(-700), -1);
  EXPECT_TRUE(std::isnan(math::expm1(kNan)));
}

TEST(MathFunctions, LogIsWithinAUnit) {
  const Reference reference = [](long double x) { return std::log(x); };
  expect_within(0.55, math::log, reference, 0.4, 2.5);
  expect_within(0.55, math::log, reference, 0.92, 1.08);
  expect_within(0.55, math::log, reference, 0, 1e300);
  expect_within(0.55, math::log, reference, 0, 0x1.0p-1022);
  EXPECT_EQ(bits(math::log(1)), bits(0.0));
  EXPECT_EQ(math::log(kSmallest), std::log(kSmallest));
  EXPECT_EQ(math::log(kLargest), std::log(kLargest));
  EXPECT_EQ(math::log(0.0), -kInfinity);
  EXPECT_EQ(math::log(-0.0), -kInfinity);
  EXPECT_EQ(math::log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(math::log(-1)));
  EXPECT_TRUE(std::isnan(math::log(-kInfinity)));
  EXPECT_TRUE(std::isnan(math::log(kNan)));
}

TEST(MathFunctions, Log1pIsWithinAUnit) {
  const Reference reference = [](long double x) { return std::log1p(x); };
  expect_within(0.55, math::log1p, reference, -0.1, 0.1);
  expect_within(0.55, math::log1p, reference, -0.999999, 3);
  expect_within(0.55, math::log1p, reference, 0, 1e300);
  for (const double x : {0.0, -0.0, kSmallest, -kSmallest, 1e-300})
    EXPECT_EQ(bits(math::log1p(x)), bits(x));
  EXPECT_EQ(math::log1p(-1), -kInfinity);
  EXPECT_EQ(math::log1p(kInfinity), kInfinity);
  EXPECT_EQ(math::log1p(kLargest), std::log1p(kLargest));
  EXPECT_TRUE(std::isnan(math::log1p(-2)));
  EXPECT_TRUE(std::isnan(math::log1p(kNan)));
}

TEST(MathFunctions, Log2IsWithinAUnitAndExactForPowersOfTwo) {
  const Reference reference = [](long double x) { return std::log2(x); };
  expect_within(0.60, math::log2, reference, 0.4, 2.5);
  expect_within(0.60, math::log2, reference, 0.92, 1.08);
  expect_within(0.60, math::log2, reference, 0, 1e300);
  expect_within(0.60, math::log2, reference, 0, 0x1.0p-1022);
  for (int n = -1074; n <= 1023; ++n) EXPECT_EQ(math::log2(std::ldexp(1.0, n)), n);
  EXPECT_EQ(math::log2(0.0), -kInfinity);
  EXPECT_EQ(math::log2(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(math::log2(-1)));
  EXPECT_TRUE(std::isnan(math::log2(kNan)));
}

TEST(MathFunctions, PowIsWithinAUnit) {
  const auto check = [](double y, double low, double high) {
    expect_within(
        0.80, [y](double x) { return math::pow(std::abs(x), y); },
        [y](long double x) { return std::pow(std::abs(x), static_cast<long double>(y)); }, low,
        high);
  };
  check(1.5, 0, 1e100);
  check(-0.3, 1e-3, 1e5);
  check(17, 0.001, 3);
  check(1000, 0.5, 1.9);
  check(1e6, 0.9995, 1.0005);
  for (int n = 0; n < 300; ++n)
    EXPECT_LT(error_in_units(math::pow(0.8, n), std::pow(static_cast<long double>(0.8), n)), 0.52)
        << n;
  for (int n = -1074; n <= 1023; ++n) EXPECT_EQ(math::pow(2, n), std::ldexp(1.0, n));
  EXPECT_EQ(math::pow(3, 4), 81);
  EXPECT_EQ(math::pow(0.25, 0.5), 0.5);
  for (const double x : {0.0, 0.5, 1.0, kLargest, kInfinity, kNan}) EXPECT_EQ(math::pow(x, 0), 1);
  for (const double y : {-kInfinity, -2.0, 3.5, kInfinity, kNan}) EXPECT_EQ(math::pow(1, y), 1);
  for (const double x : {0.0, 0.5, 2.0, kInfinity})
    for (const double y : {-kInfinity, -kLargest, -1.0, 1.0, kLargest, kInfinity})
      EXPECT_EQ(math::pow(x, y), std::pow(x, y)) << x << " " << y;
  EXPECT_TRUE(std::isnan(math::pow(kNan, 2)));
  EXPECT_TRUE(std::isnan(math::pow(2, kNan)));
  EXPECT_TRUE(std::isnan(math::pow(-2, 2)));
}

TEST(MathFunctions, TanhIsWithinAUnit) {
  const Reference reference = [](long double x) { return std::tanh(x); };
  expect_within(0.60, math::tanh, reference, -0.3, 0.3);
  expect_within(0.60, math::tanh, reference, -25, 25);
  for (const double x : {0.0, -0.0, kSmallest, -kSmallest, 1e-300})
    EXPECT_EQ(bits(math::tanh(x)), bits(x));
  EXPECT_EQ(math::tanh(kInfinity), 1);
  EXPECT_EQ(math::tanh(-kInfinity), -1);
  EXPECT_TRUE(std::isnan(math::tanh(kNan)));
}

TEST(MathFunctions, ErfcIsWithinAUnit) {
  const Reference reference = [](long double x) { return std::erfc(x); };
  expect_within(0.80, math::erfc, reference, -1.1, 1.1);
  expect_within(0.80, math::erfc, reference, -7, 6);
  expect_within(0.80, math::erfc, reference, 5, 26.5);
  expect_within(0.80, math::erfc, reference, 26.5, 28.5);
  for (const double x : {0.0, -0.0, kSmallest, -kSmallest}) EXPECT_EQ(math::erfc(x), 1);
  EXPECT_EQ(math::erfc(kInfinity), 0);
  EXPECT_EQ(math::erfc(-kInfinity), 2);
  EXPECT_TRUE(std::isnan(math::erfc(kNan)));
}

TEST(MathFunctions, CosPiIsWithinAUnitAndExactWherePossible) {
  const Reference reference = [](long double x) {
    long double turn = std::fmod(std::abs(x), 2.0L);
    if (turn > 1) turn = 2 - turn;
    const long double pi = std::numbers::pi_v<long double>;
    return turn > 0.25L && turn < 0.75L ? std::sin(pi * (0.5L - turn)) : std::cos(pi * turn);
  };
  expect_within(0.55, math::cos_pi, reference, 0, 1);
  expect_within(0.55, math::cos_pi, reference, -20, 1000);
  expect_within(0.55, math::cos_pi, reference, 0.499, 0.501);
  EXPECT_EQ(math::cos_pi(0), 1);
  EXPECT_EQ(math::cos_pi(0.5), 0);
  EXPECT_EQ(math::cos_pi(1), -1);
  EXPECT_EQ(math::cos_pi(-1.5), 0);
  EXPECT_EQ(math::cos_pi(0x1.0p60), 1);
  EXPECT_TRUE(std::isnan(math::cos_pi(kInfinity)));
  EXPECT_TRUE(std::isnan(math::cos_pi(kNan)));
}

TEST(MathFunctions, HypotIsWithinAUnitAndNeitherOverflowsNorUnderflows) {
  Random random(3);
  for (int i = 0; i < kPoints; ++i) {
    const int size = static_cast<int>(random.below(2000)) - 1020;
    const double x = std::ldexp(random.uniform(), size);
    const double y = std::ldexp(random.uniform(), size - static_cast<int>(random.below(60)));
    const long double wanted = std::hypot(static_cast<long double>(x), static_cast<long double>(y));
    ASSERT_LT(error_in_units(math::hypot(x, y), wanted), 0.80) << x << " " << y;
    ASSERT_EQ(bits(math::hypot(x, y)), bits(math::hypot(-y, x)));
  }
  EXPECT_EQ(math::hypot(3, 4), 5);
  EXPECT_EQ(math::hypot(-3e300, 4e300), 5e300);
  EXPECT_EQ(math::hypot(kSmallest, 0), kSmallest);
  EXPECT_EQ(math::hypot(kLargest, kLargest), kInfinity);
  EXPECT_EQ(math::hypot(-kInfinity, kNan), kInfinity);
  EXPECT_TRUE(std::isnan(math::hypot(kNan, 1)));
}

// Pins the bits, to detect a compiler that reorders arithmetic.
TEST(MathFunctions, BitsArePinned) {
  Random random(1);
  std::uint64_t hash = 0;
  const auto add = [&hash](double y) { hash = mix(hash, bits(y)); };
  for (int i = 0; i < 10'000; ++i) {
    const double x = 20 * random.uniform() - 10, positive = std::abs(x);
    for (const auto f : {math::exp, math::exp2, math::expm1, math::tanh, math::erfc, math::cos_pi})
      add(f(x));
    for (const auto f : {math::log, math::log1p, math::log2}) add(f(positive));
    add(math::pow(positive, x));
    add(math::hypot(x, 1));
  }
  EXPECT_EQ(hash, 16552712604945008411U);
}

}  // namespace
}  // namespace podium::math_functions_test
