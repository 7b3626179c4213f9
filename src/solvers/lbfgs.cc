#include "solvers/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "solvers/inner_product.h"

namespace podium {
namespace {

constexpr int kWolfeEvaluations = 40;
constexpr double kDecrease = 1e-4, kCurvature = 0.9;  // Wolfe's c₁ and c₂
constexpr double kFarthest = 4;  // maximum ratio of an extrapolated step to the last one
constexpr double kMargin = 0.1;  // part of a bracket at its ends where no trial is made

double norm(std::span<const double> a) {
  return std::sqrt(dot(a, a));
}
void add_scaled(std::span<double> to, double factor, std::span<const double> from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}
bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// −H g, where H is the inverse Hessian implied by the pairs.
std::vector<double> descent_direction(const LbfgsState& state) {
  std::vector<double> direction = state.gradient;
  const std::size_t pairs = state.steps.size();
  std::vector<double> alpha(pairs);
  for (std::size_t i = pairs; i-- > 0;) {
    alpha[i] = dot(state.steps[i], direction) / dot(state.steps[i], state.changes[i]);
    add_scaled(direction, -alpha[i], state.changes[i]);
  }
  if (pairs > 0) {
    const auto& change = state.changes.back();
    const double scale = dot(state.steps.back(), change) / dot(change, change);
    for (double& d : direction) d *= scale;
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const double beta = dot(state.changes[i], direction) / dot(state.steps[i], state.changes[i]);
    add_scaled(direction, alpha[i] - beta, state.steps[i]);
  }
  for (double& d : direction) d = -d;
  return direction;
}

// A trial of the line search: φ(t) = f(x + t p).
struct Trial {
  double t = 0, value = 0, slope = 0;
  std::vector<double> x, gradient;  // empty at t = 0
  bool finite = true;
  bool meets_conditions = false;
};

// The minimum of the cubic through two trials; NaN if it has none.
double cubic_minimum(const Trial& a, const Trial& b) {
  const double theta = a.slope + b.slope - 3 * (a.value - b.value) / (a.t - b.t);
  const double root = std::sqrt(theta * theta - a.slope * b.slope) * (b.t > a.t ? 1 : -1);
  return b.t - (b.t - a.t) * (b.slope + root - theta) / (b.slope - a.slope + 2 * root);
}

class LineSearch {
 public:
  LineSearch(const SmoothFunction& function, LbfgsState& state, std::span<const double> direction)
      : function_(function), state_(state), direction_(direction) {
    start_.value = state.value;
    start_.slope = dot(state.gradient, direction);
  }

  // A point that meets the conditions, else the lowest one below the start.
  std::optional<Trial> run(double first) {
    if (!(start_.slope < 0)) return {};
    Trial low = start_;            // the lowest trial that decreases f enough
    std::optional<Trial> far_end;  // with `low` it brackets a point that meets the conditions
    double t = first;
    for (int i = 0; i < kWolfeEvaluations && std::isfinite(t); ++i) {
      Trial trial = at(t);
      if (!trial.finite || trial.value > start_.value + kDecrease * t * start_.slope ||
          trial.value >= low.value) {
        far_end = std::move(trial);
      } else if (std::abs(trial.slope) <= -kCurvature * start_.slope) {
        trial.meets_conditions = true;
        return trial;
      } else {
        const double ahead = far_end ? far_end->t - low.t : 1;
        if (trial.slope * ahead >= 0) far_end = std::move(low);
        std::swap(low, trial);
        if (!far_end) {
          t = extrapolate(trial, low);
          continue;
        }
      }
      const double width = far_end->t - low.t;
      if (std::abs(width) <= 1e-15 * std::abs(low.t + far_end->t)) break;
      t = between(low, *far_end);
    }
    if (low.x.empty()) return {};
    return low;
  }

 private:
  Trial at(double t) {
    Trial trial;
    trial.t = t;
    trial.x = state_.x;
    add_scaled(trial.x, t, direction_);
    trial.gradient.resize(trial.x.size());
    trial.value = function_(trial.x, trial.gradient);
    ++state_.evaluations;
    trial.finite = std::isfinite(trial.value) && all_finite(trial.gradient);
    trial.slope = dot(trial.gradient, direction_);
    return trial;
  }
  static double extrapolate(const Trial& before, const Trial& last) {
    const double least = last.t + 0.1 * (last.t - before.t), most = kFarthest * last.t;
    const double t = cubic_minimum(before, last);
    return t >= least && t <= most ? t : most;
  }
  static double between(const Trial& low, const Trial& far_end) {
    const double width = far_end.t - low.t;
    const double t = far_end.finite ? cubic_minimum(low, far_end) : std::nan("");
    if (!std::isfinite(t)) return low.t + 0.5 * width;
    return low.t + std::clamp((t - low.t) / width, kMargin, 1 - kMargin) * width;
  }

  const SmoothFunction& function_;
  LbfgsState& state_;
  std::span<const double> direction_;
  Trial start_;
};

// A search from the state, first with the pairs, then without. Pairs that led to a point that does
// not meet the conditions are discarded.
std::optional<Trial> next_point(const SmoothFunction& function, LbfgsState& state) {
  for (;;) {
    const std::vector<double> direction = descent_direction(state);
    const bool plain = state.steps.empty();
    const double first = plain ? 1 / state.gradient_norm : 1;
    auto found = LineSearch(function, state, direction).run(first);
    if (found && found->meets_conditions) return found;
    state.exhausted = plain;
    state.steps.clear();
    state.changes.clear();
    if (found || plain) return found;
  }
}

void move_to(Trial point, LbfgsState& state, std::size_t memory) {
  std::vector<double> step(point.x), change(point.gradient);
  add_scaled(step, -1, state.x);
  add_scaled(change, -1, state.gradient);
  if (point.meets_conditions && dot(step, change) > 1e-16 * dot(change, change)) {
    if (state.steps.size() == memory) {
      state.steps.erase(state.steps.begin());
      state.changes.erase(state.changes.begin());
    }
    state.steps.push_back(std::move(step));
    state.changes.push_back(std::move(change));
  }
  state.x = std::move(point.x);
  state.gradient = std::move(point.gradient);
  state.gradient_norm = norm(state.gradient);
  state.value = point.value;
  ++state.iterations;
}

}  // namespace

LbfgsStop minimize_lbfgs(const SmoothFunction& function, LbfgsState& state,
                         const LbfgsOptions& options,
                         const std::function<LbfgsGo(const LbfgsState&)>& accepted) {
  if (state.gradient.empty()) {
    std::vector<double> gradient(state.x.size());
    state.value = function(state.x, gradient);
    ++state.evaluations;
    if (!std::isfinite(state.value) || !all_finite(gradient)) return LbfgsStop::not_finite;
    state.gradient = std::move(gradient);
    state.gradient_norm = norm(state.gradient);
  }
  for (;;) {
    if (state.gradient_norm <= options.tolerance * std::max(1.0, norm(state.x)))
      return LbfgsStop::converged;
    if (state.exhausted) return LbfgsStop::no_lower_step;
    if (state.iterations >= options.max_iterations) return LbfgsStop::iteration_limit;
    auto point = next_point(function, state);
    if (!point) return LbfgsStop::no_lower_step;
    move_to(std::move(*point), state, options.memory);
    if (accepted(state) == LbfgsGo::stop) return LbfgsStop::stopped;
  }
}

}  // namespace podium
