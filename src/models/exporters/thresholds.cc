#include "models/exporters/thresholds.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kSolrSlack = 1e-6F;

// Floats as integers in the same order, with −0 next to +0.
std::int64_t place(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  return bits >= 0 ? bits : std::int64_t{INT32_MIN} - bits - 1;
}
float float_at(std::int64_t place) {
  const auto bits = place >= 0 ? place : std::int64_t{INT32_MIN} - place - 1;
  return std::bit_cast<float>(static_cast<std::int32_t>(bits));
}

float log1p_of(float x) {
  return static_cast<float>(std::copysign(math::log1p(std::fabs(static_cast<double>(x))), x));
}

// The last finite float for which a decreasing predicate holds, or the one after it.
enum class Side { at, behind };
template <class Predicate>
float last_float(Predicate&& holds, Side side) {
  std::int64_t low = place(-kLargest), high = place(kLargest);
  if (holds(kLargest)) return kLargest;
  if (!holds(-kLargest)) return -kLargest;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(float_at(middle)) ? low : high) = middle;
  }
  return float_at(side == Side::at ? low : high);
}

}  // namespace

float largest_float_at_most(double t) {
  if (t >= kLargest) return kLargest;
  if (t < -kLargest) return -kInfinity;
  const auto rounded = static_cast<float>(t);
  return rounded <= t ? rounded : std::nextafter(rounded, -kInfinity);
}

float next_float(float t) {
  return std::nextafter(t, kInfinity);
}

double last_double(float t) {
  // Half way to the next float; for the largest one, the same distance as from the previous one.
  const double step = t < kLargest ? static_cast<double>(next_float(t)) - t
                                   : static_cast<double>(t) - std::nextafter(t, -kInfinity);
  const double middle = t + step / 2;
  return static_cast<float>(middle) <= t ? middle : std::nextafter(middle, -HUGE_VAL);
}

double first_double_above(float t) {
  return std::nextafter(last_double(t), HUGE_VAL);
}

float solr_effective(float s) {
  return s + kSolrSlack;
}

float solr_threshold(float t) {
  // Of all s that give t, the one nearest to t − 10⁻⁶ has the fewest digits.
  if (const float s = t - kSolrSlack; solr_effective(s) == t) return s;
  return last_float([t](float s) { return solr_effective(s) < t; }, Side::behind);
}

bool splits_lightgbm_zero(float t) {
  const bool at_zero = t == 0 || t == -std::numeric_limits<float>::denorm_min();
  return !at_zero && t >= -kLightGbmZero && t < kLightGbmZero;
}

float undo_log1p(float t) {
  if (log1p_of(-kLargest) > t) return -kInfinity;
  return last_float([t](float x) { return log1p_of(x) <= t; }, Side::at);
}

}  // namespace podium
