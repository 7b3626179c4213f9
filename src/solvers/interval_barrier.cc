#include "solvers/interval_barrier.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math_functions.h"

namespace podium {
namespace {

constexpr int kMaxSteps = 200;  // per μ
constexpr int kMaxHalvings = 60;
constexpr double kNextMu = 8;       // factor along the path
constexpr double kRoughly = 1e-3;   // length of a step at which the path continues
constexpr double kFinely = 1e-11;   // length at which the last μ ends, once steps no longer shrink
constexpr double kBoundary = 0.95;  // maximum part of the way to the boundary per step
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Term {
  double value, slope, curvature;
};

// (x + √(x² + c)) / 2 without cancellation; max(x, 0) for c = 0.
double positive_root(double x, double c) {
  const double root = math::hypot(x, std::sqrt(c));
  return x >= 0 ? 0.5 * (x + root) : 0.5 * c / (root - x);
}

// min over ε of ½ price ε² − log(s + ε) / μ, as a function of s.
Term gap_term(double s, double price, double mu) {
  if (std::isinf(price)) return {-math::log(s) / mu, -1 / (mu * s), 1 / (mu * s * s)};
  const double c = 4 / (mu * price), t = positive_root(s, c), slack = 1 / (mu * price * t);
  return {0.5 * price * slack * slack - math::log(t) / mu, -price * slack,
          price * slack / math::hypot(s, std::sqrt(c))};
}

// min over ξ of ½ price ξ² − (log w + log(ξ − w)) / μ, as a function of the width w > 0.
Term width_term(double w, double price, double mu) {
  const double c = 4 / (mu * price), slack = positive_root(w, c), rest = 1 / (mu * price * slack);
  return {0.5 * price * slack * slack - (math::log(w) + math::log(rest)) / mu,
          price * slack - 1 / (mu * w),
          price * slack / math::hypot(w, std::sqrt(c)) + 1 / (mu * w * w)};
}

class Barrier {
 public:
  // Intervals are stored as low end and width: as u − l, a small width would be lost in rounding.
  struct Point {
    std::vector<double> low, width;
  };

  Barrier(std::span<const ChainGroup> groups, ChainPenalties penalties)
      : groups_(groups), penalties_(penalties) {
    for (const ChainGroup& group : groups) {
      PushedEnd low, high;
      for (const auto& [at, weight] : group.points) low.push_back(at, weight);
      for (std::size_t i = group.points.size(); i-- > 0;)
        high.push_back(-group.points[i].first, group.points[i].second);
      lows_.push_back(std::move(low));
      highs_.push_back(std::move(high));
      const double here =
          std::max(std::abs(group.points.front().first), std::abs(group.points.back().first));
      reach_ = std::max(reach_, here);
    }
    const std::size_t n = groups.size();
    diagonal_.resize(2 * n);
    off_.resize(2 * n);
    direction_.resize(2 * n);
    gradient_.resize(2 * n);
  }

  // The largest difference between two points.
  double spread() const {
    double least = groups_.front().points.front().first, most = least;
    for (const ChainGroup& group : groups_) {
      least = std::min(least, group.points.front().first);
      most = std::max(most, group.points.back().first);
    }
    return most - least;
  }

  // Inside the domain: around the middle of each group, shifted up if margins are constraints.
  Point start(double width) const {
    Point x;
    double next = -std::numeric_limits<double>::infinity();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto& points = groups_[g].points;
      const double middle = 0.5 * (points.front().first + points.back().first) - 0.5 * width;
      if (g > 0) next += groups_[g].margin + width;
      x.low.push_back(std::isinf(penalties_.gap) ? std::max(middle, next) : middle);
      x.width.push_back(width);
      next = x.low.back() + width;
    }
    return x;
  }

  struct Value {
    double value = 0, rounding = 0;
    void add(double term) {
      value += term;
      rounding += 16 * kEpsilon * std::abs(term);
    }
  };
  Value value(const Point& x, double mu) const {
    Value sum;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      sum.add(lows_[g].cost(x.low[g]));
      sum.add(highs_[g].cost(-x.low[g] - x.width[g]));
      sum.add(width_term(x.width[g], penalties_.width, mu).value);
      if (g > 0) sum.add(gap_term(above_margin(x, g), penalties_.gap, mu).value);
    }
    return sum;
  }

  // Gradient and Hessian in l_0, u_0, l_1, u_1, …; `ridge` keeps the Hessian regular if no point is
  // outside its interval.
  void differentiate(const Point& x, double mu, double ridge) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto low = lows_[g].passed(x.low[g]), high = highs_[g].passed(-x.low[g] - x.width[g]);
      const Term width = width_term(x.width[g], penalties_.width, mu);
      gradient_[2 * g] = low.force - width.slope;
      gradient_[2 * g + 1] = width.slope - high.force;
      diagonal_[2 * g] = low.weight + ridge + width.curvature;
      diagonal_[2 * g + 1] = high.weight + ridge + width.curvature;
      off_[2 * g] = width.curvature;
      if (g == 0) continue;
      const Term gap = gap_term(above_margin(x, g), penalties_.gap, mu);
      gradient_[2 * g - 1] -= gap.slope;
      gradient_[2 * g] += gap.slope;
      diagonal_[2 * g - 1] += gap.curvature;
      diagonal_[2 * g] += gap.curvature;
      off_[2 * g - 1] = gap.curvature;
    }
  }

  // Newton's direction, in low ends and widths. The matrix has −off_ next to its diagonal and is
  // diagonally dominant, so elimination needs no pivots. The change of a width is not computed as
  // the difference of two ends but from the low end's equation, without cancellation.
  Point newton() {
    const std::size_t n = direction_.size();
    std::vector<double> pivot(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i > 0 ? off_[i - 1] / pivot[i - 1] : 0;
      pivot[i] = diagonal_[i] - (i > 0 ? factor * off_[i - 1] : 0);
      direction_[i] = -gradient_[i] + (i > 0 ? factor * direction_[i - 1] : 0);
    }
    for (std::size_t i = n; i-- > 0;)
      direction_[i] = (direction_[i] + (i + 1 < n ? off_[i] * direction_[i + 1] : 0)) / pivot[i];
    Point d;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const double low = direction_[2 * g];
      const double own = diagonal_[2 * g] - off_[2 * g] - (g > 0 ? off_[2 * g - 1] : 0);
      double force = gradient_[2 * g] + own * low;
      if (g > 0) force += off_[2 * g - 1] * (low - direction_[2 * g - 1]);
      d.low.push_back(low);
      d.width.push_back(force / off_[2 * g]);
    }
    return d;
  }

  // Derivative of the value along the last direction; negative.
  double downhill() const {
    double sum = 0;
    for (std::size_t i = 0; i < direction_.size(); ++i) sum += gradient_[i] * direction_[i];
    return sum;
  }
  double largest_slope() const {
    double worst = 0;
    for (const double slope : gradient_) worst = std::max(worst, std::abs(slope));
    return worst;
  }

  // The largest step up to 1 that stays well within the domain.
  double room(const Point& x, const Point& d) const {
    double step = 1;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (d.width[g] < 0) step = std::min(step, -kBoundary * x.width[g] / d.width[g]);
      if (g == 0 || !std::isinf(penalties_.gap)) continue;
      const double closing = d.low[g - 1] + d.width[g - 1] - d.low[g];
      if (closing > 0) step = std::min(step, kBoundary * above_margin(x, g) / closing);
    }
    return step;
  }

  bool inside(const Point& x) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!(x.width[g] > 0)) return false;
      if (g > 0 && std::isinf(penalties_.gap) && !(above_margin(x, g) > 0)) return false;
    }
    return true;
  }

  double reach() const { return reach_; }

 private:
  double above_margin(const Point& x, std::size_t g) const {
    return x.low[g] - x.low[g - 1] - x.width[g - 1] - groups_[g].margin;
  }

  std::span<const ChainGroup> groups_;
  ChainPenalties penalties_;
  std::vector<PushedEnd> lows_, highs_;
  std::vector<double> diagonal_, off_, direction_, gradient_;
  double reach_ = 0;
};

Barrier::Point moved(const Barrier::Point& x, const Barrier::Point& d, double step) {
  Barrier::Point to = x;
  for (std::size_t g = 0; g < to.low.size(); ++g) {
    to.low[g] += step * d.low[g];
    to.width[g] += step * d.width[g];
  }
  return to;
}

// The length of a step relative to the positions: the rounding error of one affects all others.
double length(const Barrier::Point& x, const Barrier::Point& d, double reach) {
  double longest = 0;
  for (std::size_t g = 0; g < x.low.size(); ++g) {
    reach = std::max(reach, std::abs(x.low[g]) + x.width[g]);
    longest = std::max({longest, std::abs(d.low[g]), std::abs(d.width[g])});
  }
  return longest / reach;
}

// Damped Newton at one μ: roughly, or until steps are only rounding errors and no longer shrink.
// Returns the number of steps.
enum class Precision { rough, fine };
int minimise(Barrier& barrier, double mu, double ridge, Precision precision, Barrier::Point& x) {
  Barrier::Value value = barrier.value(x, mu);
  double before = std::numeric_limits<double>::infinity();
  for (int steps = 1; steps <= kMaxSteps; ++steps) {
    barrier.differentiate(x, mu, ridge);
    const Barrier::Point d = barrier.newton();
    const double downhill = barrier.downhill();
    if (!(downhill < 0)) return steps;
    double step = barrier.room(x, d);
    const double now = length(x, d, barrier.reach());
    const bool last =
        step == 1 &&
        (precision == Precision::rough ? now <= kRoughly : now <= kFinely && !(now < 0.5 * before));
    before = now;
    for (int halvings = 0;; ++halvings, step *= 0.5) {
      const Barrier::Point to = moved(x, d, step);
      if (barrier.inside(to)) {
        const Barrier::Value there = barrier.value(to, mu);
        // Differences below the rounding error are ignored.
        if (there.value <= value.value + 1e-4 * step * downhill + value.rounding) {
          x = to;
          value = there;
          break;
        }
      }
      if (halvings == kMaxHalvings) return steps;
    }
    if (last) return steps;
  }
  return kMaxSteps;
}

}  // namespace

ChainFit fit_interval_barrier(std::span<const ChainGroup> groups, ChainPenalties penalties,
                              double mu) {
  Barrier barrier(groups, penalties);
  double weight = 0;
  for (const ChainGroup& group : groups)
    for (const auto& point : group.points) weight += point.second;
  const double ridge = 1e-10 * weight / static_cast<double>(groups.size());
  // If the barrier is as wide as the spread of the points, any start is near.
  const double spread = barrier.spread();
  double at = std::min(mu, std::max(1 / std::max(1.0, spread * spread), 1e-300 * mu));
  Barrier::Point x = barrier.start(std::max(1.0, spread));
  ChainFit fit;
  for (; at < mu; at = std::min(mu, kNextMu * at))
    fit.steps += minimise(barrier, at, ridge, Precision::rough, x);
  fit.steps += minimise(barrier, mu, ridge, Precision::fine, x);
  barrier.differentiate(x, mu, 0);
  fit.residual = barrier.largest_slope();
  fit.value = barrier.value(x, mu).value;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    fit.low.push_back(x.low[g]);
    fit.high.push_back(x.low[g] + x.width[g]);
  }
  return fit;
}

}  // namespace podium
