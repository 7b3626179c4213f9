#include "learners/structural/concave_convex.h"

#include <algorithm>
#include <numeric>

namespace podium {
namespace {

constexpr std::int64_t kStepLimit = 100;

}  // namespace

double ConcaveConvex::objective(std::span<const double> w, double& risk) {
  const std::vector<double> scores = true_risk_.image(w);
  std::vector<double> slope(scores.size());
  risk = true_risk_.evaluate(scores, slope);
  return 0.5 * std::inner_product(w.begin(), w.end(), w.begin(), 0.0) + state_.c * risk;
}

CuttingPlaneOptions ConcaveConvex::limits() const {
  return {options_.epsilon, std::max<std::int64_t>(1, options_.max_passes - state_.passes)};
}

// The bound that touches at the state's point.
void ConcaveConvex::bind_step() {
  solver_.reset();
  bound_ = on_.bound->convex_bound(true_risk_.image(state_.point));
  risk_.emplace(on_, *bound_, context_);
}

void ConcaveConvex::begin(double c, std::vector<double> start, std::int64_t passes,
                          double seconds) {
  state_ = {};
  state_.c = c;
  state_.passes = passes;
  state_.seconds = seconds;
  state_.point = std::move(start);
  state_.objective = objective(state_.point, state_.risk);
  bind_step();
  solver_.emplace(*risk_, limits(), state_.point);
  solver_->begin(c);
  state_.solver = solver_->state();
}

void ConcaveConvex::resume(ConcaveConvexState state) {
  state_ = std::move(state);
  bind_step();
  solver_.emplace(*risk_, limits(), state_.solver);
}

CuttingPlaneSolver::Progress ConcaveConvex::advance(const CuttingPlaneSolver::Watch& watch) {
  using Progress = CuttingPlaneSolver::Progress;
  const Progress progress = solver_->advance(watch);
  state_.solver = solver_->state();
  if (progress != Progress::done) return progress;
  const CuttingPlaneReport& report = solver_->report();
  state_.passes += report.passes;
  state_.seconds += report.seconds;
  double risk = 0;
  const double next = objective(solver_->solution(), risk);
  const double gained = state_.objective - next;
  if (gained > 0) {
    state_.point = solver_->solution();
    state_.objective = next;
    state_.risk = risk;
  }
  ++state_.steps;
  const bool limited = report.termination != CuttingPlaneStop::converged ||
                       state_.steps >= kStepLimit || state_.passes >= options_.max_passes;
  const bool settled = !(gained > options_.epsilon * std::max(next, 0.0));
  if (settled || limited) {
    state_.termination = settled || report.termination != CuttingPlaneStop::converged
                             ? report.termination
                             : CuttingPlaneStop::pass_limit;
    return Progress::done;
  }
  bind_step();
  solver_.emplace(*risk_, limits(), state_.point);
  solver_->begin(state_.c);
  state_.solver = solver_->state();
  return Progress::resumable;
}

}  // namespace podium
