#include "solvers/cutting_plane.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "solvers/inner_product.h"
#include "solvers/quadratic_program.h"

namespace podium {
namespace {

constexpr double kPlaneShift = 0.1;  // distance of the next plane from the best point [Franc09]
constexpr int kIdleLimit = 25;       // passes after which a plane without weight is dropped
constexpr int kLineEvaluations = 12;
constexpr std::int64_t kRenewal = 10;  // passes between recomputations of images
constexpr int kStallLimit = 200;       // passes without progress of the bound: limited by rounding

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

double norm2(std::span<const double> w) {
  return dot(w, w);
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
  state_.best.assign(d, 0.0);
  state_.a.emplace_back(d, 0.0);
  state_.b.push_back(0.0);
  state_.idle.push_back(0);
  state_.alpha.push_back(0.0);
  extend_gram();
  renew();
  state_.risk_at_zero = best_risk_;
  add_plane(state_.best, best_risk_, best_slope_);
  state_.slope_at_zero = state_.a.back();
}

CuttingPlaneSolver::CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options,
                                       std::vector<double> start)
    : CuttingPlaneSolver(risk, options) {
  state_.best = std::move(start);
  renew();
  add_plane(state_.best, best_risk_, best_slope_);
}

CuttingPlaneSolver::CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options,
                                       CuttingPlaneState state)
    : risk_(risk), options_(options), state_(std::move(state)) {
  while (static_cast<std::size_t>(gram_.rows()) < state_.a.size()) extend_gram();
  renew();
}

// Recomputes everything about the best point from the point alone.
void CuttingPlaneSolver::renew() {
  best_image_ = risk_.image(state_.best);
  slope_.resize(best_image_.size());
  best_slope_.resize(best_image_.size());
  best_risk_ = risk_.evaluate(best_image_, best_slope_);
}

void CuttingPlaneSolver::add_plane(std::span<const double> w, double risk,
                                   std::span<const double> slope) {
  std::vector<double> a;
  {
    const Stopwatch watch(state_.report.product_seconds);
    a = risk_.pull_back(slope);
  }
  state_.b.push_back(risk - dot(a, w));
  state_.a.push_back(std::move(a));
  state_.idle.push_back(0);
  state_.alpha.push_back(0.0);
  extend_gram();
}

// The inner products of the next plane with itself and with the planes before it.
void CuttingPlaneSolver::extend_gram() {
  const Eigen::Index n = gram_.rows();
  const std::vector<double>& a = state_.a[static_cast<std::size_t>(n)];
  gram_.conservativeResize(n + 1, n + 1);
  for (Eigen::Index i = 0; i <= n; ++i)
    gram_(i, n) = gram_(n, i) = dot(state_.a[static_cast<std::size_t>(i)], a);
}

void CuttingPlaneSolver::drop_idle_planes() {
  std::vector<Eigen::Index> kept;
  for (std::size_t i = 0; i < state_.a.size(); ++i) {
    state_.idle[i] = state_.alpha[i] > 0 ? 0 : state_.idle[i] + 1;
    if (i == 0 || state_.idle[i] <= kIdleLimit) kept.push_back(static_cast<Eigen::Index>(i));
  }
  if (kept.size() == state_.a.size()) return;
  gram_ = Eigen::MatrixXd(gram_(kept, kept));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto from = static_cast<std::size_t>(kept[i]);
    if (from == i) continue;
    state_.a[i] = std::move(state_.a[from]);
    state_.b[i] = state_.b[from];
    state_.idle[i] = state_.idle[from];
    state_.alpha[i] = state_.alpha[from];
  }
  state_.a.resize(kept.size());
  state_.b.resize(kept.size());
  state_.idle.resize(kept.size());
  state_.alpha.resize(kept.size());
}

// The minimum of ½‖w‖² + C max_i (<a_i, w> + b_i), from its dual.
void CuttingPlaneSolver::solve_program() {
  CuttingPlaneReport& report = state_.report;
  const Stopwatch watch(report.program_seconds);
  const auto planes = static_cast<Eigen::Index>(state_.a.size());
  const Eigen::Map<const Eigen::VectorXd> b(state_.b.data(), planes);
  Eigen::Map<Eigen::VectorXd> alpha(state_.alpha.data(), planes);
  alpha = maximize_on_simplex(gram_, b, state_.c, alpha).alpha;
  if (const double sum = alpha.sum(); sum > 0) alpha *= state_.c / sum;
  next_.assign(state_.best.size(), 0.0);
  for (std::size_t i = 0; i < state_.a.size(); ++i) {
    const double weight = state_.alpha[i];
    if (weight == 0) continue;
    for (std::size_t f = 0; f < next_.size(); ++f) next_[f] -= weight * state_.a[i][f];
  }
  // From the point itself, not from the Gram matrix, whose rounding errors grow with C².
  const double value = b.dot(alpha) - 0.5 * norm2(next_);
  state_.stalled = value > report.dual * (1 + 1e-3 * options_.epsilon) ? 0 : state_.stalled + 1;
  report.dual = std::max(report.dual, value);
}

// Minimises φ(t) = F(best + t (next − best)) over t in [0, 1]: ½‖·‖² is known exactly, and R is
// bounded below by its tangents on either side, so the minimum of that model is the next t to try.
void CuttingPlaneSolver::search_line() {
  const double c = state_.c;
  std::vector<double>& best_point = state_.best;
  std::vector<double> direction_image(best_image_.size());
  for (std::size_t i = 0; i < direction_image.size(); ++i)
    direction_image[i] = next_image_[i] - best_image_[i];
  double linear = 0, quadratic = 0;  // ½‖w(t)‖² = const + linear t + ½ quadratic t²
  for (std::size_t f = 0; f < best_point.size(); ++f) {
    const double d = next_[f] - best_point[f];
    linear += best_point[f] * d;
    quadratic += d * d;
  }
  struct Tangent {
    double t, risk, slope;
  };
  std::vector<double> image;
  const auto at = [&](double t) {
    blend(best_image_, next_image_, t, image);
    const double risk = risk_.evaluate(image, slope_);
    ++state_.report.evaluations;
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
    // The model's minimum: on the left tangent, on the right one, or at their intersection.
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
    const double scale = std::abs(objective(best)) + 0.5 * norm2(best_point);
    if (objective(best) - model <= 0.1 * options_.epsilon * scale) break;
    const Tangent middle = at(t);
    offer(middle);
    (derivative(middle) < 0 ? left : right) = middle;
  }
  if (best.t == 0) return;
  blend(best_point, next_, best.t, image);
  best_point = image;
  blend(best_image_, next_image_, best.t, image);
  best_image_ = image;
  best_risk_ = best.risk;
  best_slope_ = std::move(slope_at_best);
}

// The largest step −t ∂R(0), t = C, C/2, …, that stays within the gap, or within ε of F(0) if the
// gap is not closed.
void CuttingPlaneSolver::step_off_zero() {
  const std::vector<double>& slope = state_.slope_at_zero;
  CuttingPlaneReport& report = state_.report;
  report.point = CuttingPlaneReport::Point::zero;
  const double c = state_.c, size = norm2(slope);
  if (size == 0) return;
  const double bound =
      report.termination == CuttingPlaneStop::converged ? report.dual : c * state_.risk_at_zero;
  const std::vector<double> image = risk_.image(slope);
  std::vector<double> z(image.size());
  for (double t = c; t > 1e-12 * c; t /= 2) {
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = -t * image[i];
    const double risk = risk_.evaluate(z, slope_);
    ++report.evaluations;
    const double primal = 0.5 * t * t * size + c * risk;
    if (primal - bound > options_.epsilon * primal) continue;
    report.point = CuttingPlaneReport::Point::off_zero;
    solution_ = slope;
    for (double& w : solution_) w *= -t;
    report.primal = primal;
    report.risk = risk;
    report.gap = std::max(0.0, primal - report.dual) / primal;
    return;
  }
}

void CuttingPlaneSolver::begin(double c) {
  if (ended_) renew();
  ended_ = false;
  state_.c = c;
  state_.report = {};  // dual 0: R ≥ 0
  state_.stalled = 0;
  Eigen::Map<Eigen::VectorXd> alpha(state_.alpha.data(),
                                    static_cast<Eigen::Index>(state_.alpha.size()));
  if (const double scale = alpha.sum(); scale > 0) alpha *= c / scale;
}

CuttingPlaneSolver::Progress CuttingPlaneSolver::pass(const Watch& watch) {
  CuttingPlaneReport& report = state_.report;
  const Stopwatch whole(report.seconds);
  solve_program();
  drop_idle_planes();
  {
    const Stopwatch product(report.product_seconds);
    next_image_ = risk_.image(next_);
  }
  {
    const Stopwatch evaluation(report.risk_seconds);
    search_line();
  }
  report.primal = 0.5 * norm2(state_.best) + state_.c * best_risk_;
  const bool too_high = report.dual > report.primal * (1 + 1e-10);
  report.dual = std::min(report.dual, report.primal);
  report.risk = best_risk_;
  report.planes = state_.a.size() - 1;
  report.gap = report.primal > 0 ? std::max(0.0, report.primal - report.dual) / report.primal : 0.0;
  ++report.passes;
  const std::optional<CuttingPlaneStop> told = watch ? watch(report) : std::nullopt;
  if (too_high || !std::isfinite(report.primal) || state_.stalled >= kStallLimit) {
    report.termination = CuttingPlaneStop::numerical_limit;
    return Progress::done;
  }
  // At 0, half of the gap is reserved for a step away from it.
  const bool at_zero = norm2(state_.best) == 0;
  if (report.gap <= (at_zero ? 0.5 : 1.0) * options_.epsilon) return Progress::done;
  if (report.passes >= options_.max_passes) report.termination = CuttingPlaneStop::pass_limit;
  if (told) report.termination = *told;
  if (report.termination != CuttingPlaneStop::converged) return Progress::done;
  std::vector<double> near, near_image;
  double near_risk = 0;
  {
    const Stopwatch evaluation(report.risk_seconds);
    blend(state_.best, next_, kPlaneShift, near);
    blend(best_image_, next_image_, kPlaneShift, near_image);
    near_risk = risk_.evaluate(near_image, slope_);
    ++report.evaluations;
  }
  add_plane(near, near_risk, slope_);
  return Progress::resumable;
}

CuttingPlaneSolver::Progress CuttingPlaneSolver::advance(const Watch& watch) {
  do {
    if (pass(watch) == Progress::done) {
      solution_ = state_.best;
      if (norm2(solution_) == 0) step_off_zero();
      ended_ = true;
      return Progress::done;
    }
  } while (state_.report.passes % kRenewal != 0);
  renew();
  return Progress::resumable;
}

bool CuttingPlaneSolver::end_here() {
  CuttingPlaneReport& report = state_.report;
  solution_ = state_.best;
  ended_ = true;
  report.termination = CuttingPlaneStop::stopped;
  report.risk = best_risk_;
  report.primal = 0.5 * norm2(state_.best) + state_.c * best_risk_;
  report.dual = std::min(report.dual, report.primal);
  report.gap = report.primal > 0 ? (report.primal - report.dual) / report.primal : 0.0;
  return norm2(solution_) > 0;
}

CuttingPlaneReport CuttingPlaneSolver::minimize(double c, const Watch& watch) {
  begin(c);
  while (advance(watch) != Progress::done) continue;
  return state_.report;
}

}  // namespace podium
