// erfc(x) for x ≥ 0 from a table of polynomials, see math_tables.h: for x < 1 they approximate erfc
// itself; above, exp(x²) erfc(x), which changes slowly and is multiplied by exp(−x²) with x² in two
// parts. Negative x: 2 − erfc(−x).
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/double_double.h"
#include "core/exp_parts.h"
#include "core/math_functions.h"
#include "core/math_tables.h"

namespace podium::math {
namespace {

// The tabulated function at x: a head of 26 bits, and the rest.
inline DoubleDouble from_table(double x) {
  constexpr std::uint64_t kOne = std::uint64_t{1023} << 52;
  constexpr int kBelow = 48;  // sixteen parts per octave
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x + 1) >> kBelow << kBelow;
  const double middle = std::bit_cast<double>(bits | std::uint64_t{1} << (kBelow - 1)) - 1;
  const ErfcEntry& entry = kErfc[(bits - kOne) >> kBelow];
  const auto& a = entry.slope;
  const double h = x - middle, z = h * h, y = z * z;
  const double slope = ((a[0] + h * a[1]) + z * (a[2] + h * a[3])) +
                       y * (((a[4] + h * a[5]) + z * (a[6] + h * a[7])) + y * a[8]);
  return {entry.head, entry.rest + h * slope};
}

double erfc_of_positive(double x) {
  const DoubleDouble table = from_table(x);
  if (x < 1) return table.high + table.low;
  const DoubleDouble square = exact_product(x, x);
  const ExpParts power = exp_of_sum(-square.high, -square.low);
  // Both heads have 26 bits, so their product is exact.
  constexpr std::uint64_t kHead = ~std::uint64_t{0} << 27;
  const double head = std::bit_cast<double>(std::bit_cast<std::uint64_t>(power.high) & kHead);
  const double low = (power.high - head) + power.low;
  return scaled(head * table.high + (low * table.high + (power.high + power.low) * table.low),
                power.exponent);
}

}  // namespace

double erfc(double x) {
  if (x != x) return x;
  if (x >= 28) return 0;
  if (x <= -7) return 2;
  return x < 0 ? 2 - erfc_of_positive(-x) : erfc_of_positive(x);
}

}  // namespace podium::math
