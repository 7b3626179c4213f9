// Thresholds for consumers with other comparisons than x ≤ t in single precision. Each rule keeps
// the branch of every float32 input; tests/models/thresholds_test.cc tries all neighbours.
#pragma once

namespace podium {

// The largest float ≤ t; −∞ if t is below all finite ones.
float largest_float_at_most(double t);

// For consumers that test x < t in single precision: x ≤ t ⟺ x < next_float(t). Infinity for the
// largest float.
float next_float(float t);

// For consumers that keep inputs in double precision: x rounds to a float ≤ t ⟺ x ≤ last_double(t)
// ⟺ x < first_double_above(t). So numbers that such a consumer reads with more digits take the same
// branch as in Podium.
double last_double(float t);
double first_double_above(float t);

// Solr adds 10⁻⁶ to a threshold when it loads it, in single precision: the s for which that gives
// t. Near 0 the floats around 10⁻⁶ are too coarse for some t; then the s that gives the smallest
// number above t.
float solr_threshold(float t);
float solr_effective(float s);

// LightGBM treats values of at most 10⁻³⁵ in magnitude as 0 when it scores (dense rows;
// kZeroThreshold in single precision). Whether a threshold separates such values other than by
// their sign.
inline constexpr float kLightGbmZero = 1e-35F;
bool splits_lightgbm_zero(float t);

// The largest x with log1p(x) ≤ t, for the transform sign(x) log(1 + |x|) in single precision; −∞
// if there is none.
float undo_log1p(float t);

}  // namespace podium
