#include "line_search/line_crossing.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/exact_sum.h"
#include "core/random.h"

namespace podium::line_crossing_test {
namespace {

// The exact crossing is between the midpoints of its image and the image's neighbours.
void expect_nearest(const Line& upper, const Line& lower) {
  const double image = crossing(upper, lower);
  ASSERT_EQ(image, to_grid(image));
  if (std::abs(image) >= kFarthestCrossing || image == 0) return;
  const double above = next_on_grid(image), below = -next_on_grid(-image);
  // The sign of rise − α run, from exact products of halves.
  const auto sign = [&](double alpha) {
    const auto high = [](double x) {
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~0x7FFFFFFULL);
    };
    ExactSum sum;
    sum += upper.intercept;
    sum += -lower.intercept;
    for (const double a : {high(alpha), alpha - high(alpha)})
      for (const double s : {high(upper.slope), upper.slope - high(upper.slope), -high(lower.slope),
                             high(lower.slope) - lower.slope})
        sum += a * s;
    return sum.value();
  };
  ASSERT_LE(sign((image + above) / 2), 0) << image;
  ASSERT_GE(sign((image + below) / 2), 0) << image;
}

Line random_line(Random& random) {
  const auto number = [&] {
    const double x = random.uniform() - 0.5;
    switch (random.below(4)) {
      case 0:
        return static_cast<double>(static_cast<float>(x));
      case 1:
        return x * 1e6;
      case 2:
        return std::round(8 * x) / 10;
      default:
        return x;
    }
  };
  return {number(), number()};
}

TEST(LineCrossing, IsTheNearestGridPoint) {
  Random random(71);
  for (int i = 0; i < 300000; ++i) {
    Line x = random_line(random), y = random_line(random);
    if (x.slope == y.slope) continue;
    if (x.slope > y.slope) std::swap(x, y);
    ASSERT_NO_FATAL_FAILURE(expect_nearest(x, y));
  }
}

// Crossings exactly in the middle of two grid points, and next to it: quotients do not determine
// these.
TEST(LineCrossing, IsExactNearTheMiddleOfTwoGridPoints) {
  Random random(72);
  for (int i = 0; i < 100000; ++i) {
    const double point = to_grid(random.uniform() + 0.5);
    const double middle = (point + next_on_grid(point)) / 2;
    const double run = static_cast<double>(1 + random.below(1000));
    Line upper{0, middle * run}, lower{run, 0};
    const double shift = random.uniform();
    upper.intercept += shift;
    lower.intercept += shift;
    for (std::uint64_t u = random.below(5); u > 0; --u)
      upper.intercept = std::nextafter(upper.intercept, random.below(2) ? 1e9 : -1e9);
    ASSERT_NO_FATAL_FAILURE(expect_nearest(upper, lower));
    ASSERT_EQ(without_index(indexed_crossing(upper, lower, 77)), crossing(upper, lower));
    ASSERT_EQ(index_of(indexed_crossing(upper, lower, 77)), 77U);
  }
}

// Of three lines the outer two cross between the other crossings, and so do the images: so there is
// one order at every α.
TEST(LineCrossing, ImagesKeepTheOrderOfThreeLines) {
  Random random(73);
  for (int i = 0; i < 300000; ++i) {
    std::array<Line, 3> lines;
    for (Line& line : lines) line = random_line(random);
    if (i % 2) {  // almost through one point
      const double alpha = random.uniform();
      for (Line& line : lines) line.intercept = 0.3 - alpha * line.slope;
    }
    std::sort(lines.begin(), lines.end(),
              [](const Line& x, const Line& y) { return x.slope < y.slope; });
    if (lines[0].slope == lines[1].slope || lines[1].slope == lines[2].slope) continue;
    const double first = crossing(lines[0], lines[1]), second = crossing(lines[1], lines[2]),
                 outer = crossing(lines[0], lines[2]);
    ASSERT_LE(std::min(first, second), outer);
    ASSERT_GE(std::max(first, second), outer);
  }
}

TEST(LineCrossing, EqualCrossingsHaveEqualImages) {
  Random random(74);
  for (int i = 0; i < 100000; ++i) {
    const double alpha = std::round(random.uniform() * 4096) / 1024 - 2, height = 0.25;
    const auto through = [&] {
      const double slope = std::round((random.uniform() - 0.5) * 4096);
      return Line{slope, height - alpha * slope};
    };
    Line x = through(), y = through();
    if (x.slope == y.slope) continue;
    if (x.slope > y.slope) std::swap(x, y);
    ASSERT_EQ(crossing(x, y), alpha);
  }
  EXPECT_EQ(crossing({0, 1}, {1e-320, 0}), kFarthestCrossing);
  EXPECT_EQ(crossing({0, 0}, {1e-320, 1}), -kFarthestCrossing);
  EXPECT_EQ(crossing({0, 1e-300}, {1e30, 0}), 0);
  EXPECT_EQ(indexed_crossing({1, 0}, {1, 1}, 3), kNever);
  EXPECT_EQ(indexed_crossing({1, 0}, {0, 1}, 3), kNever);
}

}  // namespace
}  // namespace podium::line_crossing_test
