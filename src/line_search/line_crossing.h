// Where two documents' scores b + αa cross.
//
// The crossing x = (b₁ − b₂)/(a₂ − a₁) is a real number; every walk uses its image on a grid: the
// nearest double whose last kDroppedBits bits are 0 (relative spacing 2⁻⁴²). The map is a function
// of the exact x and never decreases, so
//   - for three lines the images keep the order of the crossings: at every α that is no image, the
//     images describe one total order of the documents, which is the true one at grid points α;
//   - crossings that are equal as real numbers have equal images, whatever their lines.
// A quotient in double precision has an error below 4 units in the last place, which determines the
// image unless it is that close to the middle of two grid points; then an exact sign is computed.
// Crossings beyond ±2¹⁰⁰⁰ are moved there, those within ±2⁻⁹⁰⁰ are 0.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace podium {

struct Line {
  double slope;
  double intercept;
};

constexpr double kFarthestCrossing = 0x1p1000;
constexpr double kNearestCrossing = 0x1p-900;
// The maximum magnitude of slopes and intercepts.
constexpr double kLargestCoefficient = 1e100;

constexpr int kDroppedBits = 10;
constexpr std::uint64_t kGridStep = std::uint64_t{1} << kDroppedBits;
constexpr std::uint64_t kQuotientError = 4;  // in units of the last place

// The grid point nearest to x, ties away from 0.
inline double to_grid(double x) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) + kGridStep / 2) &
                               ~(kGridStep - 1));
}

// The next grid point above x, which is a grid point.
double next_on_grid(double x);

// The image of x near the middle of two grid points, determined exactly.
double crossing_near_middle(const Line& upper, const Line& lower, double x);

// For upper.slope < lower.slope: from this α on, lower is above.
inline double crossing(const Line& upper, const Line& lower) {
  const double x = (upper.intercept - lower.intercept) / (lower.slope - upper.slope);
  const double size = std::abs(x);
  if (!(size < kFarthestCrossing)) return std::copysign(kFarthestCrossing, x);
  if (size < kNearestCrossing) return 0;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if (((bits + kGridStep / 2 + kQuotientError) & (kGridStep - 1)) < 2 * kQuotientError)
    return crossing_near_middle(upper, lower, x);
  return to_grid(x);
}

// The lower line is not steeper.
constexpr double kNever = std::numeric_limits<double>::infinity();

inline double crossing_or_never(const Line& upper, const Line& lower) {
  return lower.slope > upper.slope ? crossing(upper, lower) : kNever;
}

// Like crossing_or_never, with a number below kGridStep in the bits that a grid point leaves free:
// the smallest of several also tells which one it is. Without branches, because which of two lines
// is steeper is unpredictable.
inline double indexed_crossing(const Line& upper, const Line& lower, std::size_t index) {
  const double run = lower.slope - upper.slope;
  const double x = (upper.intercept - lower.intercept) / run;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t steeper = run > 0;
  std::uint64_t image = (bits + kGridStep / 2) & ~(kGridStep - 1);
  const bool special =
      ((bits + kGridStep / 2 + kQuotientError) & (kGridStep - 1)) < 2 * kQuotientError ||
      !(std::abs(x) < kFarthestCrossing) || std::abs(x) < kNearestCrossing;
  if (special && steeper) [[unlikely]]
    image = std::bit_cast<std::uint64_t>(crossing(upper, lower));
  const std::uint64_t mask = -steeper;
  return std::bit_cast<double>(((image | index) & mask) |
                               (std::bit_cast<std::uint64_t>(kNever) & ~mask));
}
inline std::size_t index_of(double x) {
  return std::bit_cast<std::uint64_t>(x) & (kGridStep - 1);
}
inline double without_index(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~(kGridStep - 1));
}

// Whether line i is above line j just after α, after all crossings up to α. False for identical
// lines.
inline bool is_above_after(double alpha, const Line& i, const Line& j) {
  if (i.slope == j.slope) return i.intercept > j.intercept;
  return i.slope < j.slope ? crossing(i, j) > alpha : crossing(j, i) <= alpha;
}

}  // namespace podium
