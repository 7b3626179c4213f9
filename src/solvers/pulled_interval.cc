#include "solvers/pulled_interval.h"

#include <algorithm>
#include <cmath>

namespace podium {
namespace {

constexpr int kMaxPullSteps = 200;

}  // namespace

void PushedEnd::push_back(double point, double weight) {
  if (kinks_.empty()) {
    kinks_.push_back({point, weight, 0, 0});
    return;
  }
  const Kink& last = kinks_.back();
  const double step = point - last.point;
  kinks_.push_back({point, last.weight + weight, last.force + last.weight * step,
                    last.cost + (last.force + 0.5 * last.weight * step) * step});
}

PushedEnd::Place PushedEnd::under(double force) const {
  const auto after = std::upper_bound(kinks_.begin() + 1, kinks_.end(), force,
                                      [](double f, const Kink& kink) { return f < kink.force; });
  const Kink& kink = *(after - 1);
  return {kink.point + (force - kink.force) / kink.weight, 1 / kink.weight,
          static_cast<std::size_t>(after - 1 - kinks_.begin())};
}

PushedEnd::Passed PushedEnd::passed(double at) const {
  const auto after = std::upper_bound(kinks_.begin(), kinks_.end(), at,
                                      [](double x, const Kink& kink) { return x < kink.point; });
  if (after == kinks_.begin()) return {};
  const Kink& kink = *(after - 1);
  const double step = at - kink.point;
  return {kink.cost + (kink.force + 0.5 * kink.weight * step) * step,
          kink.force + kink.weight * step, kink.weight};
}

PulledInterval::PulledInterval(std::span<const Point> points, double width)
    : width_(std::isinf(1 / width) ? 0 : width) {
  const double origin = points.front().first;
  for (const auto& [point, weight] : points) {
    low_.push_back(point, weight);
    mean_ += weight * (point - origin);
    weight_ += weight;
  }
  mean_ = origin + mean_ / weight_;
  for (std::size_t i = points.size(); i-- > 0;) high_.push_back(-points[i].first, points[i].second);
}

PulledInterval::Response PulledInterval::under(double up, double down) const {
  if (std::isinf(width_)) return closed(up, down);
  const auto low = low_.under(up), high = high_.under(down);
  if (low.at >= -high.at) return closed(up, down);
  if (width_ > 0) return stretched(up, down);
  return {low.at, -high.at, low.slope, high.slope, 0};
}

// low = high: every point pulls, on either side.
PulledInterval::Response PulledInterval::closed(double up, double down) const {
  const double at = mean_ + (up - down) / weight_, slope = 1 / weight_;
  return {at, at, slope, slope, slope};
}

// The interval's tension t = width (high − low) adds to both forces. t / width + low(up + t) −
// high(down + t) is concave and increasing in t, so Newton's steps from t = 0 stay below the root
// and converge to it.
PulledInterval::Response PulledInterval::stretched(double up, double down) const {
  double tension = 0, curvature = 0;
  auto low = low_.under(up), high = high_.under(down);
  for (int step = 0; step < kMaxPullSteps; ++step) {
    curvature = 1 / width_ + low.slope + high.slope;
    const double excess = tension / width_ + low.at + high.at;
    if (!(excess < 0)) break;
    tension -= excess / curvature;
    const auto next_low = low_.under(up + tension), next_high = high_.under(down + tension);
    const bool same = next_low.kink == low.kink && next_high.kink == high.kink;
    low = next_low;
    high = next_high;
    if (same) break;
  }
  const double a = low.slope, b = high.slope;
  return {low.at, std::max(low.at, -high.at), a * (1 / width_ + b) / curvature,
          b * (1 / width_ + a) / curvature, a * b / curvature};
}

double PulledInterval::cost(double low, double high) const {
  const double width = std::isinf(width_) ? 0 : 0.5 * width_ * (high - low) * (high - low);
  return low_.cost(low) + high_.cost(-high) + width;
}

}  // namespace podium
