// Pair functions φ(x) of the better document's score difference x = σ(s_better − s_worse), with φ'
// and a curvature ≥ 0, both by x, on several pairs at once. The margin m and δ come with the
// PairShape.
//
//   logistic       log(1 + e^{−x})                                             [Burges05b]
//   near logistic  the same, divided by nearest + |x| as if that were constant
//   hinge          max(0, m − x)                                               [Joachims02]
//   squared hinge  ½ max(0, m − x)²                                            [Zheng07]
//   exponential    e^{−x}, its tangent where −x > 40, so that nothing overflows [Freund03]
//   fidelity       1 − √p, p = 1/(1 + e^{−x})                                  [Tsai07]
//   margin         −φ' = 1 for x < 0, (δ − x)/δ up to δ, then 0                [Burges05] eq. 4–6
//   literal margin the same with δ − x in the middle, as printed: it jumps at 0 unless δ = 1
//
// m is margin + grade_margin · (difference of grades). The curvature is φ'' if that is positive. If
// a function is linear but not constant, it is that of its curved part (1 for the hinge), so that a
// Newton step is finite. Fidelity's φ'' = ¼√p(1 − p)(3p − 1) changes sign: the curvature has 1 + p
// instead of 3p − 1, which has the same magnitude at both ends and is larger in between.
//
// The logistic functions are in lane_functions-inl.h. They also come as slopes, without the value,
// whose logarithm costs more than everything else.
//
// To add a pair function: a struct here, a name in pair_kernels.h and a line in pair_kernels.cc;
// for devices one in PairKind and in losses/device/grade_pair_kernels.h.
//
// The text is included after lane_functions-inl.h, with the same types and PODIUM_LANE_FUNCTION: by
// pair_kernels.cc for the vectors of each instruction set, and by losses/device/one_lane_pairs.h.
// No include guard.

PODIUM_LANE_FUNCTION Lanes margin_of(const Pairs& pairs, const PairShape& shape) {
  return shape.margin + shape.grade_margin * pairs.gap;
}

struct Hinge {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    const Lanes short_of = margin_of(pairs, shape) - pairs.lead;
    const auto active = short_of > 0.0;
    const Lanes zero{}, one = splat(1);
    return {active ? short_of : zero, active ? -one : zero, active ? one : zero};
  }
};

struct SquaredHinge {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    const Lanes short_of = larger(margin_of(pairs, shape) - pairs.lead, Lanes{});
    return {0.5 * short_of * short_of, -short_of, short_of > 0.0 ? splat(1) : Lanes{}};
  }
};

struct Exponential {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape&) {
    const Lanes curved = smaller(-pairs.lead, splat(40));
    const Lanes power = exp_of(curved);
    return {power - power * (pairs.lead + curved), -power, power};
  }
};

struct Fidelity {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    const Costs logistic = Logistic::at(pairs, shape);
    const Lanes miss = -logistic.first;  // 1 − p
    const Lanes root = exp_of(-0.5 * logistic.value);
    const Lanes slope = root * miss;
    return {miss / (1.0 + root), -0.5 * slope, 0.25 * slope * (2.0 - miss)};
  }
};

// λ decreases from `top` at x = 0 to 0 at δ; it is 1 below 0.
PODIUM_LANE_FUNCTION Costs margin_costs(Lanes lead, double delta, double top) {
  const Lanes short_of = larger(delta - lead, Lanes{});
  const double slope = top / delta;
  const auto wrong = lead < 0.0;
  return {wrong ? 0.5 * top * delta - lead : 0.5 * slope * short_of * short_of,
          wrong ? splat(-1) : -slope * short_of, short_of > 0.0 ? splat(slope) : Lanes{}};
}

struct Margin {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    return margin_costs(pairs.lead, shape.margin, 1);
  }
};

struct LiteralMargin {
  static constexpr bool kFromPowers = false;
  static PODIUM_LANE_FUNCTION Costs at(const Pairs& pairs, const PairShape& shape) {
    return margin_costs(pairs.lead, shape.margin, shape.margin);
  }
};
