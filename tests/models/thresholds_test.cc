// Threshold rules: each is a monotone decision, so it holds for all inputs if it holds for the
// threshold's neighbours and the ends of the range.
#include "models/exporters/thresholds.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/random.h"

namespace podium::thresholds_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();

std::vector<float> thresholds() {
  std::vector<float> out = {0.0F,     -0.0F,    1e-45F,    -1e-45F, 1e-6F,      -1e-6F,
                            9.99e-7F, 1.01e-6F, 0.5F,      1.0F,    -1.0F,      16.0F,
                            1e20F,    kLargest, -kLargest, 0.1F,    16777216.F, 1.17549435e-38F,
                            3e-7F,    -2.5e-7F, 1e-9F,     2e-6F};
  Random random(5);
  while (out.size() < 20000) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random.below(1ULL << 32)));
    if (std::isfinite(x)) out.push_back(x);
  }
  return out;
}

std::vector<float> neighbours(float t) {
  std::vector<float> out = {0.0F, -0.0F, 1e-45F, -1e-45F, kLargest, -kLargest, t};
  float up = t, down = t;
  for (int step = 0; step < 4; ++step) {
    up = std::nextafter(up, kInfinity);
    down = std::nextafter(down, -kInfinity);
    if (std::isfinite(up)) out.push_back(up);
    if (std::isfinite(down)) out.push_back(down);
  }
  return out;
}

TEST(Thresholds, EveryFloatTakesTheSameBranch) {
  for (const float t : thresholds())
    for (const float x : neighbours(t)) {
      const bool left = x <= t;
      EXPECT_EQ(x < next_float(t), left) << x << " at " << t;
      EXPECT_EQ(static_cast<double>(x) <= last_double(t), left) << x << " at " << t;
      EXPECT_EQ(static_cast<double>(x) < first_double_above(t), left) << x << " at " << t;
      EXPECT_EQ(x <= largest_float_at_most(last_double(t)), left) << x << " at " << t;
    }
}

TEST(Thresholds, DoublesTakeTheBranchOfTheFloatTheyRoundTo) {
  Random random(6);
  for (const float t : thresholds()) {
    const double last = last_double(t);
    EXPECT_LE(static_cast<float>(last), t);
    EXPECT_GT(static_cast<float>(first_double_above(t)), t);
    if (!std::isfinite(next_float(t))) continue;
    const double x = t + (2 * random.uniform() - 0.5) * (double{next_float(t)} - t);
    EXPECT_EQ(x <= last, static_cast<float>(x) <= t) << x << " at " << t;
  }
}

TEST(Thresholds, LargestFloatAtMost) {
  EXPECT_EQ(largest_float_at_most(0.1), std::nextafter(0.1F, 0.0F));
  EXPECT_EQ(largest_float_at_most(0.5), 0.5F);
  EXPECT_EQ(largest_float_at_most(1e300), kLargest);
  EXPECT_EQ(largest_float_at_most(HUGE_VAL), kLargest);
  EXPECT_EQ(largest_float_at_most(-1e300), -kInfinity);
  EXPECT_EQ(largest_float_at_most(1e-300), 0.0F);
  EXPECT_EQ(largest_float_at_most(-1e-300), -1e-45F);
}

TEST(Thresholds, CompensatesForSolrsSlack) {
  const auto spacing = [](float x) { return std::nextafter(std::abs(x), kInfinity) - std::abs(x); };
  std::size_t exact = 0;
  for (const float t : thresholds()) {
    const float written = solr_threshold(t), effective = solr_effective(written);
    EXPECT_GE(effective, t);
    exact += effective == t;
    if (effective > t) {
      EXPECT_LT(solr_effective(std::nextafter(written, -kInfinity)), t);
    }
    // The floats around t − 10⁻⁶ are as fine as those around t, and 10⁻⁶ is not half of their
    // distance.
    const float inward = std::abs(t) - std::nextafter(std::abs(t), 0.0F);
    if (std::abs(t) > 4e-6F && spacing(written) <= inward) {
      EXPECT_EQ(effective, t);
    } else {
      EXPECT_LE(effective - t, std::max(spacing(written), spacing(t))) << t;
    }
  }
  EXPECT_GT(exact, thresholds().size() / 2);
  EXPECT_EQ(solr_effective(solr_threshold(0.0F)), 0.0F);
}

TEST(Thresholds, LogarithmsAreInverted) {
  const auto log1p_of = [](float x) {
    return static_cast<float>(std::copysign(std::log1p(std::fabs(double{x})), x));
  };
  for (const float t : thresholds()) {
    if (std::abs(t) > 80) continue;
    const float undone = undo_log1p(t);
    ASSERT_TRUE(std::isfinite(undone));
    for (const float x : neighbours(undone))
      EXPECT_EQ(x <= undone, log1p_of(x) <= t) << x << " at " << t;
  }
  EXPECT_EQ(undo_log1p(100.0F), kLargest);
  EXPECT_EQ(undo_log1p(-100.0F), -kInfinity);
}

}  // namespace
}  // namespace podium::thresholds_test
