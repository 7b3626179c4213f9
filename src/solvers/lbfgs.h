// Limited-memory BFGS: minimises a smooth function of many variables from its values and gradients.
// The direction comes from the last few steps and changes of the gradient (two-loop recursion), the
// step from a line search that ends where the strong Wolfe conditions hold [Nocedal06, algorithms
// 7.4, 3.5 and 3.6]. Its state between two iterations is complete, so a later process can continue
// from there with the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace podium {

// The value at x; writes the gradient. If the value is not finite, the search steps back.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOptions {
  std::size_t memory = 10;            // pairs of steps and gradient changes kept
  std::int64_t max_iterations = 500;  // accepted points
  double tolerance = 1e-7;            // of ‖gradient‖, or of its ratio to ‖x‖
};

struct LbfgsState {
  std::vector<double> x;  // initially the start; then the last accepted point, the best so far
  std::int64_t iterations = 0, evaluations = 0;
  double value = 0;
  std::vector<double> gradient;  // empty: not known yet
  double gradient_norm = 0;
  std::vector<std::vector<double>> steps, changes;  // oldest first
  bool exhausted = false;  // the conditions cannot be met even along the negative gradient

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.x, self.iterations, self.evaluations, self.value, self.gradient,
            self.gradient_norm, self.steps, self.changes, self.exhausted);
  }
};

enum class LbfgsGo { on, stop };
enum class LbfgsStop {
  converged,
  iteration_limit,
  stopped,        // by the caller
  no_lower_step,  // no step down the gradient lowers the function: rounding, or it is not smooth
  not_finite,     // at the start
};

// Advances the state; `accepted` is called for every accepted point.
LbfgsStop minimize_lbfgs(const SmoothFunction& function, LbfgsState& state,
                         const LbfgsOptions& options,
                         const std::function<LbfgsGo(const LbfgsState&)>& accepted);

}  // namespace podium
