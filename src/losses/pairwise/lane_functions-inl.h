// The arithmetic of λ-rules on several pairs at once, or on one: exp and log1p without tables and
// without fused operations, and the logistic pair functions (pair_functions-inl.h).
//
//   exp    x = n ln 2 + r, |r| ≤ ½ ln 2, Taylor's polynomial of degree 13 in r; relative
//          error below 4e-16 for x in [−700, 700], arguments outside count as the nearer end
//   log1p  2 artanh(f) with f = u/(2 + u), for u in [0, 1]; artanh(f)/f is a polynomial of degree 9
//          in f² that was fitted on [0, 1/9] to 5e-17
//
// The text is included where a type Lanes has been declared, in that namespace: by lane_math-inl.h
// for the vectors of each instruction set, and by losses/device/one_lane.h for a double. So the CPU
// and other devices compute the same bits. Needs LaneBits, splat, smaller, larger, magnitude,
// lane_bits, lanes_of and PODIUM_LANE_FUNCTION, which begins a function.
// No include guard.

PODIUM_LANE_FUNCTION Lanes exp_of(Lanes x) {
  constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
  constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits, so that n · high is exact
  constexpr double kLn2Low = 0x1.ef35793c76730p-45;
  constexpr double kShift = 0x1.8p52;  // adding it rounds to an integer, found in the lowest bits
  x = smaller(larger(x, splat(-700)), splat(700));
  const Lanes shifted = x * kInverseLn2 + kShift;
  const Lanes n = shifted - kShift;
  const Lanes r = (x - n * kLn2High) - n * kLn2Low;
  const Lanes z = r * r;
  const Lanes even =
      1.0 +
      z * (1.0 / 2 +
           z * (1.0 / 24 +
                z * (1.0 / 720 + z * (1.0 / 40320 + z * (1.0 / 3628800 + z * (1.0 / 479001600))))));
  const Lanes odd =
      1.0 + z * (1.0 / 6 +
                 z * (1.0 / 120 +
                      z * (1.0 / 5040 +
                           z * (1.0 / 362880 + z * (1.0 / 39916800 + z * (1.0 / 6227020800.0))))));
  const LaneBits exponent = (lane_bits(shifted) - lane_bits(splat(kShift)) + 1023) << 52;
  return (even + r * odd) * lanes_of(exponent);
}

// log(1 + u) from f = u/(2 + u).
PODIUM_LANE_FUNCTION Lanes log1p_from(Lanes f) {
  const Lanes z = f * f;
  const Lanes y = z * z;
  const Lanes low =
      (1.0 + z * 0x1.5555555555aeep-2) + y * (0x1.99999998ca58bp-3 + z * 0x1.2492498161ca5p-3);
  const Lanes high = (0x1.c71c47af989fdp-4 + z * 0x1.74628d4f43596p-4) +
                     y * ((0x1.3aa5e932d3628p-4 + z * 0x1.1659956da410fp-4) +
                          y * (0x1.94b79523b2fbbp-5 + z * 0x1.6c26693a7c095p-4));
  return 2.0 * f * (low + y * y * high);
}

struct Pairs {
  Lanes lead;           // x
  Lanes distance;       // |x|
  Lanes gap;            // difference of grades
  Lanes better, worse;  // e^{σs} of the two documents, up to a factor
};
struct Costs {
  Lanes value, first, second;
};
struct Slopes {
  Lanes first, second;
};

// The logistic function of pairs whose powers have the ratio worse/better = e^{−x}, with one
// division for p and the logarithm's argument.
PODIUM_LANE_FUNCTION Costs logistic_costs(Lanes lead, Lanes better, Lanes worse) {
  const Lanes low = smaller(better, worse), high = larger(better, worse);
  const Lanes sum = low + high, wide = sum + high;
  const Lanes inverse = 1.0 / (sum * wide);
  const Lanes per_sum = wide * inverse;
  const Lanes miss = worse * per_sum;  // 1/(1 + e^x)
  const Lanes cost = log1p_from(low * (sum * inverse));
  return {cost - smaller(lead, Lanes{}), -miss, miss * (better * per_sum)};
}

// The same, also divided by `distance`, with only one division.
PODIUM_LANE_FUNCTION Costs near_logistic_costs(Lanes lead, Lanes better, Lanes worse,
                                               Lanes distance) {
  const Lanes low = smaller(better, worse), high = larger(better, worse);
  const Lanes sum = low + high, wide = sum + high;
  const Lanes product = sum * wide;
  const Lanes inverse = 1.0 / (product * distance);
  const Lanes rest = distance * inverse, per_sum = wide * rest;
  const Lanes miss = worse * (wide * inverse);
  const Lanes cost = log1p_from(low * (sum * rest));
  return {(product * inverse) * (cost - smaller(lead, Lanes{})), -miss, miss * (better * per_sum)};
}

struct LogisticFromPowers {
  static constexpr bool kFromPowers = true;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape&) {
    return logistic_costs(pairs.lead, pairs.better, pairs.worse);
  }
};

struct LogisticSlopes {
  static constexpr bool kFromPowers = true;
  static PODIUM_LANE_FUNCTION Slopes at(const Pairs& pairs, const PairShape&) {
    const Lanes inverse = 1.0 / (pairs.better + pairs.worse);
    const Lanes miss = pairs.worse * inverse;
    return {-miss, miss * (pairs.better * inverse)};
  }
};

struct Logistic {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape&) {
    const Lanes power = exp_of(-pairs.distance), one = splat(1);
    const auto wrong = pairs.lead < 0.0;
    return logistic_costs(pairs.lead, wrong ? power : one, wrong ? one : power);
  }
};

struct NearLogisticFromPowers {
  static constexpr bool kFromPowers = true;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    return near_logistic_costs(pairs.lead, pairs.better, pairs.worse,
                               shape.nearest + pairs.distance);
  }
};

struct NearLogisticSlopes {
  static constexpr bool kFromPowers = true;
  static PODIUM_LANE_FUNCTION Slopes at(const Pairs& pairs, const PairShape& shape) {
    const Lanes distance = shape.nearest + pairs.distance;
    const Lanes inverse = 1.0 / ((pairs.better + pairs.worse) * distance);
    const Lanes miss = pairs.worse * inverse;
    return {-miss, miss * (pairs.better * (distance * inverse))};
  }
};

struct NearLogistic {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    const Lanes power = exp_of(-pairs.distance), one = splat(1);
    const auto wrong = pairs.lead < 0.0;
    return near_logistic_costs(pairs.lead, wrong ? power : one, wrong ? one : power,
                               shape.nearest + pairs.distance);
  }
};
