#include "line_search/line_crossing.h"

#include "core/exact_sum.h"

namespace podium {
namespace {

// high + low is exact.
struct Pair {
  double high, low;
};

Pair exact_difference(double x, double y) {
  const double high = x - y;
  const double back = high - x;
  return {high, (x - (high - back)) - (y + back)};
}

// x in two parts of 26 bits, whose products are exact.
Pair halves(double x) {
  const double scaled = 0x1p27 * x + x;
  const double high = scaled - (scaled - x);
  return {high, x - high};
}

Pair exact_product(double x, double y) {
  const double high = x * y;
  const Pair u = halves(x), v = halves(y);
  return {high, ((u.high * v.high - high) + u.high * v.low + u.low * v.high) + u.low * v.low};
}

// The sign of (upper.intercept − lower.intercept) − α (lower.slope − upper.slope), for α near the
// crossing: from double-double arithmetic, whose error is below 2⁻⁹⁸ of the first difference, or
// exact.
double sign_at(const Line& upper, const Line& lower, double alpha) {
  const Pair rise = exact_difference(upper.intercept, lower.intercept);
  const Pair run = exact_difference(lower.slope, upper.slope);
  const Pair product = exact_product(alpha, run.high);
  const double rest = ((rise.high - product.high) - product.low) + (rise.low - alpha * run.low);
  if (std::abs(rest) > 0x1p-98 * std::abs(rise.high)) return rest;
  ExactSum sum;
  sum += upper.intercept;
  sum += -lower.intercept;
  const Pair up = exact_product(alpha, upper.slope), down = exact_product(-alpha, lower.slope);
  for (const double part : {up.high, up.low, down.high, down.low}) sum += part;
  return sum.value();
}

}  // namespace

double next_on_grid(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  if (x == 0) return kNearestCrossing;
  if (x == -kNearestCrossing) return 0;
  return std::bit_cast<double>(x > 0 ? bits + kGridStep : bits - kGridStep);
}

double crossing_near_middle(const Line& upper, const Line& lower, double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t half = kGridStep / 2;
  const std::uint64_t farther = (bits + half + half / 2) & ~(kGridStep - 1);
  const double middle = std::bit_cast<double>(farther - half);
  const double beyond = sign_at(upper, lower, middle);
  const bool away_from_zero = x > 0 ? beyond >= 0 : beyond <= 0;
  return std::bit_cast<double>(away_from_zero ? farther : farther - kGridStep);
}

}  // namespace podium
