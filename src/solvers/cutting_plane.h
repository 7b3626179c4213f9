// Regularised risk minimisation with a certificate:
//
//   min_w  F(w) = ½‖w‖² + C·R(w),   R(w) = r(Xw) convex, R ≥ 0
//
// Cutting planes R(w) ≥ <a_i, w> + b_i give a lower bound whose minimum is a small quadratic
// programme, so after every pass primal, dual and gap are known. The steps are those of [Franc09]
// (OCAS): an exact line search from the best point towards the programme's point, then the next
// plane close to the new best point. Along a line Xw changes linearly, so the search needs no
// product with X. Xw is recomputed every kRenewal passes: rounding errors do not accumulate, and
// the solver's state is then a few vectors of w's size, from which a later process can continue
// with the same bits.
//
// If w = 0 is optimal, which is useless as a model, any small enough step along −∂R(0) is within ε
// of the optimum too: the largest such step is returned instead, and the report says so. If the
// solver is stopped before it leaves w = 0, the step stays within ε of F(0).
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace podium {

// r on images z = Xw. If the data is distributed over processes, images are local and sums are
// global.
class LinearRisk {
 public:
  virtual ~LinearRisk() = default;
  virtual std::size_t dimension() const = 0;
  virtual std::vector<double> image(std::span<const double> w) = 0;                 // X w
  virtual double evaluate(std::span<const double> z, std::span<double> slope) = 0;  // r(z), ∂r
  virtual std::vector<double> pull_back(std::span<const double> slope) = 0;         // Xᵀ slope
  virtual double inner(std::span<const double> slope, std::span<const double> z) = 0;
};

struct CuttingPlaneOptions {
  double epsilon = 1e-3;  // relative duality gap
  std::int64_t max_passes = 10000;
};

// numerical_limit: rounding keeps the gap from closing, because the scale of the features or of C
// is extreme.
enum class CuttingPlaneStop { converged, pass_limit, time_limit, stopped, numerical_limit };

struct CuttingPlaneReport {
  double primal = 0, dual = 0, gap = 0;  // gap: (primal − dual) / primal
  double risk = 0;                       // R at the returned point
  std::int64_t passes = 0, evaluations = 0;
  std::size_t planes = 0;
  double risk_seconds = 0, product_seconds = 0, program_seconds = 0, seconds = 0;
  CuttingPlaneStop termination = CuttingPlaneStop::converged;
  // What is returned: the best point, a step away from w = 0, or w = 0 (there is no direction for a
  // step).
  enum class Point { best, off_zero, zero } point = Point::best;

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.primal, self.dual, self.gap, self.risk, self.passes, self.evaluations, self.planes,
            self.risk_seconds, self.product_seconds, self.program_seconds, self.seconds,
            self.termination, self.point);
  }
};

// The complete state of the solver between two passes.
struct CuttingPlaneState {
  double c = 0;  // of the current problem; 0: none
  CuttingPlaneReport report;
  // Plane i is <a[i], w> + b[i]. Plane 0 is R ≥ 0.
  std::vector<std::vector<double>> a;
  std::vector<double> b;
  std::vector<int> idle;              // passes since the plane last had a weight
  std::vector<double> alpha;          // the planes' weights
  std::vector<double> best;           // the best point
  double risk_at_zero = 0;            // R(0), and a
  std::vector<double> slope_at_zero;  // subgradient there
  int stalled = 0;                    // passes since the bound last rose

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.c, self.report, self.a, self.b, self.idle, self.alpha, self.best,
            self.risk_at_zero, self.slope_at_zero, self.stalled);
  }
};

// Keeps its planes from one C to the next: they bound R for any C.
class CuttingPlaneSolver {
 public:
  CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options);
  // Starts at a point; the result is at least as good.
  CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options, std::vector<double> start);
  // Continues from a state.
  CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options, CuttingPlaneState state);

  // Called after every pass; may return a reason to stop: time_limit or stopped.
  using Watch = std::function<std::optional<CuttingPlaneStop>(const CuttingPlaneReport&)>;
  // Calls begin(c), then advances until done.
  CuttingPlaneReport minimize(double c, const Watch& watch);

  // Switches to another C.
  void begin(double c);
  // Runs passes up to the next point where state() is complete (resumable), or to the end.
  enum class Progress { resumable, done };
  Progress advance(const Watch& watch);
  // After an exception from the risk: the best point so far becomes the solution. False if that is
  // still w = 0.
  bool end_here();
  const CuttingPlaneState& state() const noexcept { return state_; }

  const CuttingPlaneReport& report() const noexcept { return state_.report; }
  const std::vector<double>& solution() const noexcept { return solution_; }
  // R(0).
  double risk_at_zero() const noexcept { return state_.risk_at_zero; }

 private:
  Progress pass(const Watch& watch);
  void renew();
  void add_plane(std::span<const double> w, double risk, std::span<const double> slope);
  void extend_gram();
  void drop_idle_planes();
  void solve_program();
  void search_line();
  void step_off_zero();

  LinearRisk& risk_;
  CuttingPlaneOptions options_;
  CuttingPlaneState state_;
  Eigen::MatrixXd gram_;
  // The best point's image, the programme's point and image.
  std::vector<double> best_image_, next_, next_image_;
  double best_risk_ = 0;
  bool ended_ = false;  // with the previous C, and the image is not recomputed
  std::vector<double> solution_;
  std::vector<double> slope_, best_slope_;  // ∂r at the last image looked at, and at the best one
};

}  // namespace podium
