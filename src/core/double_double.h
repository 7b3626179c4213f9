// Sums of two doubles, high + low with |low| at most half a unit in the last place of high: about
// 106 bits, from additions and multiplications alone (without FMA, which not every machine has).
#pragma once

namespace podium {

struct DoubleDouble {
  double high = 0, low = 0;
};

// a + b, exactly; |a| ≥ |b| or a = 0.
constexpr DoubleDouble sum_of_ordered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b, exactly.
constexpr DoubleDouble exact_sum_of(double a, double b) {
  const double sum = a + b, from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

// a · b, exactly unless it over- or underflows; |a|, |b| < 2^996.
constexpr DoubleDouble exact_product(double a, double b) {
  constexpr double kSplit = 0x1.0p27 + 1;
  const double a_shifted = kSplit * a, b_shifted = kSplit * b;
  const double a_high = a_shifted - (a_shifted - a), a_low = a - a_high;
  const double b_high = b_shifted - (b_shifted - b), b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = exact_sum_of(a.high, b.high), low = exact_sum_of(a.low, b.low);
  const DoubleDouble sum = sum_of_ordered(high.high, high.low + low.high);
  return sum_of_ordered(sum.high, sum.low + low.low);
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double quotient = a.high / b.high;
  const DoubleDouble part = exact_product(quotient, b.high);
  const double rest = ((a.high - part.high) - part.low) + (a.low - quotient * b.low);
  return sum_of_ordered(quotient, rest / b.high);
}

}  // namespace podium
