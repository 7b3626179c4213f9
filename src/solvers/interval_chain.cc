#include "solvers/interval_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/stieltjes.h"

namespace podium {
namespace {

constexpr int kMaxChainSteps = 200;
constexpr int kMaxTrials = 60;
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

class Dual {
 public:
  Dual(std::span<const ChainGroup> groups, ChainPenalties penalties) : give_(1 / penalties.gap) {
    const bool apart = std::isfinite(give_);
    if (!apart) give_ = 0;
    for (const ChainGroup& group : groups) {
      intervals_.emplace_back(group.points, penalties.width);
      if (intervals_.size() > 1)
        margins_.push_back(apart ? group.margin : -std::numeric_limits<double>::infinity());
    }
    forces_.assign(margins_.size(), 0.0);
    responses_.resize(intervals_.size());
    slope_.resize(forces_.size());
    noise_.resize(forces_.size());
    respond();
  }

  std::size_t size() const { return forces_.size(); }
  std::span<const double> forces() const { return forces_; }
  std::span<const double> slope() const { return slope_; }
  const PulledInterval::Response& response(std::size_t g) const { return responses_[g]; }

  void move_to(std::span<const double> forces) {
    std::copy(forces.begin(), forces.end(), forces_.begin());
    respond();
  }

  Tridiagonal hessian() const {
    Tridiagonal h{std::vector<double>(size()), std::vector<double>(size())};
    for (std::size_t e = 0; e < size(); ++e) {
      h.diagonal[e] = give_ + responses_[e].high_by_down + responses_[e + 1].low_by_up;
      h.off[e] = -responses_[e + 1].cross;
    }
    return h;
  }

  double residual() const {
    double worst = 0;
    for (std::size_t e = 0; e < size(); ++e) worst = std::max(worst, violation(e));
    return worst;
  }
  bool optimal() const {
    for (std::size_t e = 0; e < size(); ++e)
      if (violation(e) > noise_[e]) return false;
    return true;
  }

  double primal_value() const {
    double value = 0;
    for (std::size_t g = 0; g < intervals_.size(); ++g)
      value += intervals_[g].cost(responses_[g].low, responses_[g].high);
    for (const double force : forces_) value += 0.5 * give_ * force * force;
    return value;
  }

 private:
  double violation(std::size_t e) const {
    return forces_[e] > 0 ? std::abs(slope_[e]) : std::max(0.0, -slope_[e]);
  }
  double up(std::size_t g) const { return g > 0 ? forces_[g - 1] : 0.0; }
  double down(std::size_t g) const { return g < size() ? forces_[g] : 0.0; }
  double pull(std::size_t g) const { return up(g) + down(g); }
  void respond() {
    for (std::size_t g = 0; g < intervals_.size(); ++g)
      responses_[g] = intervals_[g].under(up(g), down(g));
    for (std::size_t e = 0; e < size(); ++e) {
      const double slack = give_ * forces_[e], low = responses_[e + 1].low,
                   high = responses_[e].high;
      slope_[e] = slack - margins_[e] + (low - high);
      noise_[e] = kRounding * (slack + std::abs(margins_[e]) + std::abs(low) + std::abs(high) +
                               pull(e) * responses_[e].high_by_down +
                               pull(e + 1) * responses_[e + 1].low_by_up);
    }
  }

  double give_;  // shortfall of a gap from its margin per unit of force
  std::vector<PulledInterval> intervals_;
  std::vector<double> margins_, forces_, slope_, noise_;
  std::vector<PulledInterval::Response> responses_;
};

double along(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Moves along `direction`: the full step if the slope there is not yet uphill, else to a point
// before the minimum where the slope is at most half. The slope is monotone: the dual is convex.
void line_search(Dual& dual, std::span<const double> direction) {
  const std::vector<double> start(dual.forces().begin(), dual.forces().end());
  const double downhill = along(dual.slope(), direction);
  std::vector<double> trial(start.size());
  const auto slope_at = [&](double step) {
    for (std::size_t e = 0; e < trial.size(); ++e)
      trial[e] = std::max(0.0, start[e] + step * direction[e]);
    dual.move_to(trial);
    return along(dual.slope(), direction);
  };
  double low = 0, high = 1, low_slope = downhill, high_slope = slope_at(1);
  if (high_slope <= -1e-9 * downhill || dual.optimal()) return;
  for (int trials = 0; trials < kMaxTrials; ++trials) {
    const double chord = low + (high - low) * low_slope / (low_slope - high_slope);
    const double step = trials % 3 == 2 ? 0.5 * (low + high) : chord;
    const double slope = slope_at(step);
    if (slope > 0) {
      high = step;
      high_slope = slope;
    } else if (slope >= 0.5 * downhill) {
      return;
    } else {
      low = step;
      low_slope = slope;
    }
  }
  slope_at(low);
}

}  // namespace

ChainFit fit_interval_chain(std::span<const ChainGroup> groups, ChainPenalties penalties) {
  Dual dual(groups, penalties);
  ChainFit fit;
  for (; fit.steps < kMaxChainSteps && !dual.optimal(); ++fit.steps) {
    const Tridiagonal h = dual.hessian();
    std::vector<double> q(dual.size());
    for (std::size_t e = 0; e < q.size(); ++e)
      q[e] = dual.slope()[e] - product(h, dual.forces(), e);
    std::vector<double> direction = solve_complementarity(h, q);
    for (std::size_t e = 0; e < q.size(); ++e) direction[e] -= dual.forces()[e];
    if (!(along(dual.slope(), direction) < 0)) break;
    line_search(dual, direction);
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    fit.low.push_back(dual.response(g).low);
    fit.high.push_back(dual.response(g).high);
  }
  fit.value = dual.primal_value();
  fit.residual = dual.residual();
  return fit;
}

}  // namespace podium
