#include "solvers/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <LBFGS.h>

namespace podium {
namespace {

constexpr int kLineSearchSteps = 40;

struct Stop {};  // leaves LBFGS++ from inside a line search

// The function as LBFGS++ calls it. What it accepts is kept, since a failed search leaves x at the
// last trial.
class Watched {
 public:
  Watched(const SmoothFunction& function, std::span<double> best, LbfgsReport& report,
          const std::function<LbfgsGo(const LbfgsPoint&)>& accepted)
      : function_(function), best_(best), report_(report), accepted_(accepted) {}

  double operator()(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    in_function_ = true;
    const auto size = static_cast<std::size_t>(x.size());
    const double value = function_({x.data(), size}, {gradient.data(), size});
    in_function_ = false;
    if (!started_) {
      started_ = true;
      report_.value = value;
      report_.gradient_norm = gradient.norm();
      if (!std::isfinite(value) || !gradient.allFinite()) {
        report_.why = LbfgsStop::not_finite;
        throw Stop();
      }
    }
    return std::isfinite(value) && gradient.allFinite() ? value : HUGE_VAL;
  }

  void accept(double value, const Eigen::VectorXd& x, const Eigen::VectorXd& gradient) {
    std::copy(x.data(), x.data() + x.size(), best_.begin());
    report_.value = value;
    report_.gradient_norm = gradient.norm();
    const LbfgsPoint point{++report_.iterations, value, report_.gradient_norm, best_};
    in_function_ = true;
    const LbfgsGo go = accepted_(point);
    in_function_ = false;
    if (go == LbfgsGo::stop) {
      report_.why = LbfgsStop::stopped;
      throw Stop();
    }
  }

  // Whether an exception on its way came from the caller's code.
  bool in_function() const noexcept { return in_function_; }

 private:
  const SmoothFunction& function_;
  std::span<double> best_;
  LbfgsReport& report_;
  const std::function<LbfgsGo(const LbfgsPoint&)>& accepted_;
  bool started_ = false;
  bool in_function_ = false;
};

template <class Scalar>
struct WatchedSearch {
  template <class Function, class Vector, class Parameters>
  static void LineSearch(Function& f, Scalar& value, Vector& x, Vector& gradient, Scalar& step,
                         const Vector& direction, const Vector& from,
                         const Parameters& parameters) {
    LBFGSpp::LineSearchBracketing<Scalar>::LineSearch(f, value, x, gradient, step, direction, from,
                                                      parameters);
    f.accept(value, x, gradient);
  }
};

}  // namespace

LbfgsReport minimize_lbfgs(const SmoothFunction& function, std::vector<double>& x,
                           const LbfgsOptions& options,
                           const std::function<LbfgsGo(const LbfgsPoint&)>& accepted) {
  LbfgsReport report;
  LBFGSpp::LBFGSParam<double> parameters;
  parameters.m = options.memory;
  parameters.epsilon = parameters.epsilon_rel = options.tolerance;
  parameters.max_iterations = static_cast<int>(options.max_iterations);
  parameters.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  parameters.max_linesearch = kLineSearchSteps;
  LBFGSpp::LBFGSSolver<double, WatchedSearch> solver(parameters);
  Watched watched(function, x, report, accepted);
  Eigen::VectorXd at = Eigen::Map<Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  double value = 0;
  try {
    solver.minimize(watched, at, value);
    const bool small = report.gradient_norm <= options.tolerance ||
                       report.gradient_norm <= options.tolerance * at.norm();
    report.why = small ? LbfgsStop::converged : LbfgsStop::iteration_limit;
  } catch (const Stop&) {
  } catch (const std::runtime_error&) {  // the line search gives up
    if (watched.in_function()) throw;
    report.why = LbfgsStop::no_lower_step;
  } catch (const std::logic_error&) {  // the direction does not descend
    if (watched.in_function()) throw;
    report.why = LbfgsStop::no_lower_step;
  }
  return report;
}

}  // namespace podium
