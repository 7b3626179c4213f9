#include "solvers/quadratic_program.h"

#include <algorithm>
#include <cmath>

namespace podium {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class ActiveSet {
 public:
  ActiveSet(const MatrixXd& g, const VectorXd& b, double total, VectorXd start)
      : g_(g),
        b_(b),
        total_(total),
        alpha_(std::move(start)),
        scale_(1e-14 * g.diagonal().cwiseAbs().maxCoeff()) {
    alpha_ = alpha_.cwiseMax(0.0);
    const double sum = alpha_.sum();
    if (sum > 0)
      alpha_ *= total_ / sum;
    else
      alpha_[best_single()] = total_;
    for (Index i = 0; i < alpha_.size(); ++i)
      if (alpha_[i] > 0) free_.push_back(i);
  }

  SimplexSolution run() {
    SimplexSolution out;
    const int limit = 50 + 20 * static_cast<int>(alpha_.size());
    for (; out.steps < limit; ++out.steps) {
      if (!descend_on_face()) continue;  // a variable became 0; solve the smaller face
      const VectorXd slope = b_ - g_ * alpha_;
      const double level = slope.dot(alpha_) / total_;
      Index entering = 0;
      const double top = slope.maxCoeff(&entering);
      out.residual = std::max(0.0, top - level);
      const double tolerance = 1e-13 * (std::abs(level) + b_.cwiseAbs().maxCoeff() + 1e-300);
      if (out.residual <= tolerance || is_free(entering)) break;
      free_.push_back(entering);
    }
    out.alpha = alpha_;
    out.value = b_.dot(alpha_) - 0.5 * alpha_.dot(g_ * alpha_);
    return out;
  }

 private:
  bool is_free(Index i) const { return std::find(free_.begin(), free_.end(), i) != free_.end(); }

  Index best_single() const {
    Index best = 0;
    const VectorXd value = total_ * b_ - 0.5 * total_ * total_ * g_.diagonal();
    value.maxCoeff(&best);
    return best;
  }

  // The optimum with only the free variables, ignoring α ≥ 0. Solved for the differences to the
  // last free variable, which keeps Σ α = total and leaves a positive definite system.
  VectorXd face_optimum() const {
    const auto n = static_cast<Index>(free_.size());
    VectorXd target(n);
    const Index pivot = free_.back();
    MatrixXd h(n - 1, n - 1);
    VectorXd r(n - 1);
    for (Index i = 0; i + 1 < n; ++i) {
      const Index a = free_[static_cast<std::size_t>(i)];
      r[i] = b_[a] - b_[pivot] - total_ * (g_(a, pivot) - g_(pivot, pivot));
      for (Index j = 0; j <= i; ++j) {
        const Index c = free_[static_cast<std::size_t>(j)];
        h(i, j) = h(j, i) = g_(a, c) - g_(a, pivot) - g_(c, pivot) + g_(pivot, pivot);
      }
      h(i, i) += scale_;
    }
    const VectorXd solution = h.ldlt().solve(r);
    target.head(n - 1) = solution;
    target[n - 1] = total_ - solution.sum();
    return target;
  }

  // Moves to the optimum of the face, or to where the first variable becomes 0 (returns false: it
  // is no longer in the face).
  bool descend_on_face() {
    if (free_.size() == 1) {
      alpha_.setZero();
      alpha_[free_[0]] = total_;
      return true;
    }
    const VectorXd target = face_optimum();
    double step = 1;
    std::size_t leaving = free_.size();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const double now = alpha_[free_[i]], then = target[static_cast<Index>(i)];
      if (then < 0 && now - then > 0 && now / (now - then) < step) {
        step = now / (now - then);
        leaving = i;
      }
    }
    for (std::size_t i = 0; i < free_.size(); ++i)
      alpha_[free_[i]] += step * (target[static_cast<Index>(i)] - alpha_[free_[i]]);
    if (leaving == free_.size()) return true;
    alpha_[free_[leaving]] = 0;
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(leaving));
    return false;
  }

  const MatrixXd& g_;
  const VectorXd& b_;
  double total_;
  VectorXd alpha_;
  double scale_;
  std::vector<Index> free_;
};

}  // namespace

SimplexSolution maximize_on_simplex(const MatrixXd& g, const VectorXd& b, double total,
                                    const VectorXd& start) {
  VectorXd padded = VectorXd::Zero(b.size());
  padded.head(std::min(start.size(), b.size())) = start.head(std::min(start.size(), b.size()));
  return ActiveSet(g, b, total, std::move(padded)).run();
}

}  // namespace podium
