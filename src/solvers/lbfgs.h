// Limited-memory BFGS: minimises a smooth function of many variables from its values and gradients.
// The two-loop recursion and the bracketing line search (strong Wolfe conditions) are LBFGS++'s;
// this file adds what its interface lacks: a look at every accepted point, a way to stop there, and
// an answer in place of an exception when no step lowers the function any more.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace podium {

// The value at x; writes the gradient. A value that is not finite is a point to step back from.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  int memory = 10;                    // pairs of steps and gradient changes kept
  std::int64_t max_iterations = 500;  // accepted points
  double tolerance = 1e-7;            // of ‖gradient‖, or of its ratio to ‖x‖
};

// An accepted point.
struct LbfgsPoint {
  std::int64_t iteration = 0;  // counted from 1
  double value = 0;
  double gradient_norm = 0;
  std::span<const double> x;
};

enum class LbfgsGo { on, stop };
enum class LbfgsStop {
  converged,
  iteration_limit,
  stopped,        // by the caller
  no_lower_step,  // no step down the gradient lowers the function: rounding, or it is not smooth
  not_finite,     // at the start
};

struct LbfgsReport {
  LbfgsStop why = LbfgsStop::converged;
  std::int64_t iterations = 0;
  double value = 0;
  double gradient_norm = 0;
};

// Moves x to the best point found.
LbfgsReport minimize_lbfgs(const SmoothFunction& function, std::vector<double>& x,
                           const LbfgsOptions& options,
                           const std::function<LbfgsGo(const LbfgsPoint&)>& accepted);

}  // namespace podium
