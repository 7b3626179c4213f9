#include "solvers/cutting_plane.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/quadratic_program.h"

namespace podium {
namespace {

constexpr double kPlaneShift =
    0.1;                        // how far from the best point the next plane is taken [Franc09]
constexpr int kIdleLimit = 25;  // passes after which a plane without weight is dropped
constexpr int kLineEvaluations = 12;
constexpr int kStallLimit = 200;  // passes without progress of the bound: rounding has won

class Stopwatch {
 public:
  explicit Stopwatch(double& total) : total_(total) {}
  ~Stopwatch() {
    total_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void blend(std::span<const double> from, std::span<const double> to, double t,
           std::vector<double>& out) {
  out.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = from[i] + t * (to[i] - from[i]);
}

}  // namespace

CuttingPlaneSolver::CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options)
    : risk_(risk), options_(options) {
  const std::size_t d = risk_.dimension();
  best_.assign(d, 0.0);
  best_image_ = risk_.image(best_);
  slope_.resize(best_image_.size());
  a_.emplace_back(d, 0.0);
  b_.push_back(0.0);
  idle_.push_back(0);
  gram_ = Eigen::MatrixXd::Zero(1, 1);
  alpha_ = Eigen::VectorXd::Zero(1);
  best_risk_ = risk_at_zero_ = risk_.evaluate(best_image_, slope_);
  add_plane(best_, best_risk_, slope_);
  slope_at_zero_ = a_.back();
  best_slope_ = slope_;
}

double CuttingPlaneSolver::norm2(const std::vector<double>& w) const {
  return dot(w, w);
}

void CuttingPlaneSolver::add_plane(std::span<const double> w, double risk,
                                   std::span<const double> slope) {
  std::vector<double> a;
  {
    const Stopwatch watch(report_.product_seconds);
    a = risk_.pull_back(slope);
  }
  const auto n = static_cast<Eigen::Index>(a_.size());
  gram_.conservativeResize(n + 1, n + 1);
  for (Eigen::Index i = 0; i < n; ++i)
    gram_(i, n) = gram_(n, i) = dot(a_[static_cast<std::size_t>(i)], a);
  gram_(n, n) = dot(a, a);
  b_.push_back(risk - dot(a, w));
  a_.push_back(std::move(a));
  idle_.push_back(0);
  alpha_.conservativeResize(n + 1);
  alpha_[n] = 0;
}

void CuttingPlaneSolver::drop_idle_planes() {
  std::vector<Eigen::Index> kept;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    idle_[i] = alpha_[static_cast<Eigen::Index>(i)] > 0 ? 0 : idle_[i] + 1;
    if (i == 0 || idle_[i] <= kIdleLimit) kept.push_back(static_cast<Eigen::Index>(i));
  }
  if (kept.size() == a_.size()) return;
  gram_ = Eigen::MatrixXd(gram_(kept, kept));
  alpha_ = Eigen::VectorXd(alpha_(kept));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto from = static_cast<std::size_t>(kept[i]);
    if (from == i) continue;
    a_[i] = std::move(a_[from]);
    b_[i] = b_[from];
    idle_[i] = idle_[from];
  }
  a_.resize(kept.size());
  b_.resize(kept.size());
  idle_.resize(kept.size());
}

// The minimum of ½‖w‖² + C max_i (<a_i, w> + b_i), through its dual.
void CuttingPlaneSolver::solve_program(double c) {
  const Stopwatch watch(report_.program_seconds);
  const Eigen::Map<const Eigen::VectorXd> b(b_.data(), static_cast<Eigen::Index>(b_.size()));
  alpha_ = maximize_on_simplex(gram_, b, c, alpha_).alpha;
  if (const double sum = alpha_.sum(); sum > 0) alpha_ *= c / sum;
  next_.assign(best_.size(), 0.0);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double weight = alpha_[static_cast<Eigen::Index>(i)];
    if (weight == 0) continue;
    for (std::size_t f = 0; f < next_.size(); ++f) next_[f] -= weight * a_[i][f];
  }
  // From the assembled point, not from the Gram matrix, whose rounding grows with C².
  const double value = b.dot(alpha_) - 0.5 * norm2(next_);
  stalled_ = value > report_.dual * (1 + 1e-3 * options_.epsilon) ? 0 : stalled_ + 1;
  report_.dual = std::max(report_.dual, value);
}

// Minimises φ(t) = F(best + t (next − best)) over t in [0, 1]: ½‖·‖² is known exactly, and R is
// bounded below by its tangents on either side, so the minimum of that model is the next t to try.
void CuttingPlaneSolver::search_line(double c) {
  std::vector<double> direction_image(best_image_.size());
  for (std::size_t i = 0; i < direction_image.size(); ++i)
    direction_image[i] = next_image_[i] - best_image_[i];
  double linear = 0, quadratic = 0;  // ½‖w(t)‖² = const + linear t + ½ quadratic t²
  for (std::size_t f = 0; f < best_.size(); ++f) {
    const double d = next_[f] - best_[f];
    linear += best_[f] * d;
    quadratic += d * d;
  }
  struct Tangent {
    double t, risk, slope;
  };
  std::vector<double> image;
  const auto at = [&](double t) {
    blend(best_image_, next_image_, t, image);
    const double risk = risk_.evaluate(image, slope_);
    ++report_.evaluations;
    return Tangent{t, risk, risk_.inner(slope_, direction_image)};
  };
  const auto objective = [&](const Tangent& p) {
    return linear * p.t + 0.5 * quadratic * p.t * p.t + c * p.risk;
  };
  const auto derivative = [&](const Tangent& p) { return linear + quadratic * p.t + c * p.slope; };

  // At 0 everything is known from when the point was found.
  Tangent left{0, best_risk_, risk_.inner(best_slope_, direction_image)}, best = left,
                                                                          right = at(1);
  std::vector<double> slope_at_best;
  const auto offer = [&](const Tangent& point) {
    if (objective(point) >= objective(best)) return;
    best = point;
    slope_at_best = slope_;
  };
  offer(right);
  for (int i = 0; i < kLineEvaluations && derivative(left) < 0 && derivative(right) > 0; ++i) {
    // The model's minimum: on the left tangent, on the right one, or where they meet.
    const double on_left = -(linear + c * left.slope) / quadratic;
    const double on_right = -(linear + c * right.slope) / quadratic;
    const double gap = right.slope - left.slope;
    const double meet =
        gap > 0 ? (left.risk - right.risk + right.slope * right.t - left.slope * left.t) / gap
                : left.t;
    const double t = on_left < meet ? on_left : on_right > meet ? on_right : meet;
    if (!(t > left.t && t < right.t)) break;
    const double model = linear * t + 0.5 * quadratic * t * t +
                         c * std::max(left.risk + left.slope * (t - left.t),
                                      right.risk + right.slope * (t - right.t));
    const double scale = std::abs(objective(best)) + 0.5 * norm2(best_);
    if (objective(best) - model <= 0.1 * options_.epsilon * scale) break;
    const Tangent middle = at(t);
    offer(middle);
    (derivative(middle) < 0 ? left : right) = middle;
  }
  if (best.t == 0) return;
  blend(best_, next_, best.t, image);
  best_ = image;
  blend(best_image_, next_image_, best.t, image);
  best_image_ = image;
  best_risk_ = best.risk;
  best_slope_ = std::move(slope_at_best);
}

// The largest step −t ∂R(0), t = C, C/2, …, that stays within the gap.
void CuttingPlaneSolver::step_off_zero(double c) {
  const std::vector<double> image = risk_.image(slope_at_zero_);
  const double size = norm2(slope_at_zero_);
  std::vector<double> z(image.size());
  if (size == 0) return;
  for (double t = c; t > 1e-12 * c; t /= 2) {
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = -t * image[i];
    const double risk = risk_.evaluate(z, slope_);
    ++report_.evaluations;
    const double primal = 0.5 * t * t * size + c * risk;
    if (primal - report_.dual > options_.epsilon * primal) continue;
    report_.optimum = CuttingPlaneReport::Optimum::zero;
    solution_ = slope_at_zero_;
    for (double& w : solution_) w *= -t;
    report_.primal = primal;
    report_.risk = risk;
    report_.gap = std::max(0.0, primal - report_.dual) / primal;
    return;
  }
}

CuttingPlaneReport CuttingPlaneSolver::minimize(double c, const std::stop_token& stop,
                                                const Watch& watch) {
  report_ = {};
  const auto start = std::chrono::steady_clock::now();
  const double scale = alpha_.sum();
  if (scale > 0) alpha_ *= c / scale;
  report_.dual = 0;  // R ≥ 0
  stalled_ = 0;
  for (;;) {
    solve_program(c);
    drop_idle_planes();
    {
      const Stopwatch product(report_.product_seconds);
      next_image_ = risk_.image(next_);
    }
    std::vector<double> near, near_image;
    {
      const Stopwatch evaluation(report_.risk_seconds);
      search_line(c);
      blend(best_, next_, kPlaneShift, near);
      blend(best_image_, next_image_, kPlaneShift, near_image);
    }
    report_.primal = 0.5 * norm2(best_) + c * best_risk_;
    const bool too_high = report_.dual > report_.primal * (1 + 1e-10);
    report_.dual = std::min(report_.dual, report_.primal);
    report_.risk = best_risk_;
    report_.planes = a_.size() - 1;
    report_.gap =
        report_.primal > 0 ? std::max(0.0, report_.primal - report_.dual) / report_.primal : 0.0;
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++report_.passes;
    if (watch) watch(report_);
    // At 0, half of the gap is left for a step off it.
    const bool at_zero = norm2(best_) == 0;
    if (too_high || !std::isfinite(report_.primal) || stalled_ >= kStallLimit) {
      report_.why = CuttingPlaneStop::numerical_limit;
      break;
    }
    if (report_.gap <= (at_zero ? 0.5 : 1.0) * options_.epsilon) break;
    if (report_.passes >= options_.max_passes) report_.why = CuttingPlaneStop::pass_limit;
    if (options_.max_seconds > 0 && report_.seconds >= options_.max_seconds)
      report_.why = CuttingPlaneStop::time_limit;
    if (stop.stop_requested()) report_.why = CuttingPlaneStop::stopped;
    if (report_.why != CuttingPlaneStop::converged) break;
    double near_risk = 0;
    {
      const Stopwatch evaluation(report_.risk_seconds);
      near_risk = risk_.evaluate(near_image, slope_);
      ++report_.evaluations;
    }
    add_plane(near, near_risk, slope_);
  }
  solution_ = best_;
  if (norm2(best_) == 0 && report_.why == CuttingPlaneStop::converged) step_off_zero(c);
  return report_;
}

}  // namespace podium
