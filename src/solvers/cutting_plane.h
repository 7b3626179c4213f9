// Regularised risk minimisation with a certificate:
//
//   min_w  F(w) = ½‖w‖² + C·R(w),   R(w) = r(Xw) convex, R ≥ 0
//
// Cutting planes R(w) ≥ <a_i, w> + b_i give a lower bound whose minimum is a small quadratic
// programme, so after every pass primal, dual and gap are known. The steps are those of [Franc09]
// (OCAS): an exact line search from the best point towards the programme's point, then the next
// plane close to the new best point. Along a line Xw moves linearly, so the search costs no product
// with X.
//
// Where w = 0 is optimal, which tells nothing, any small enough step along −∂R(0) is within ε of
// the optimum too: the largest such step is returned instead, and the report says so.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace podium {

// The data's side: r on images z = Xw. When the data is spread over processes, images are local and
// the sums global.
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
  double max_seconds = 0;  // 0: no limit
};

// numerical_limit: rounding keeps the gap from closing; the features' or C's scale is extreme.
enum class CuttingPlaneStop { converged, pass_limit, time_limit, stopped, numerical_limit };

struct CuttingPlaneReport {
  double primal = 0, dual = 0, gap = 0;  // gap: (primal − dual) / primal
  double risk = 0;                       // R at the returned point
  std::int64_t passes = 0, evaluations = 0;
  std::size_t planes = 0;
  double risk_seconds = 0, product_seconds = 0, program_seconds = 0, seconds = 0;
  CuttingPlaneStop why = CuttingPlaneStop::converged;
  enum class Optimum { proper, zero } optimum = Optimum::proper;
};

// Keeps its planes from one C to the next: they bound R, whatever C is.
class CuttingPlaneSolver {
 public:
  CuttingPlaneSolver(LinearRisk& risk, CuttingPlaneOptions options);

  using Watch = std::function<void(const CuttingPlaneReport&)>;  // after every pass
  CuttingPlaneReport minimize(double c, const std::stop_token& stop, const Watch& watch);
  const std::vector<double>& solution() const noexcept { return solution_; }
  // R(0).
  double risk_at_zero() const noexcept { return risk_at_zero_; }

 private:
  void add_plane(std::span<const double> w, double risk, std::span<const double> slope);
  void drop_idle_planes();
  void solve_program(double c);
  void search_line(double c);
  void step_off_zero(double c);
  double norm2(const std::vector<double>& w) const;

  LinearRisk& risk_;
  CuttingPlaneOptions options_;
  CuttingPlaneReport report_;
  // Plane i is <a_[i], w> + b_[i]. Plane 0 is R ≥ 0.
  std::vector<std::vector<double>> a_;
  std::vector<double> b_;
  std::vector<int> idle_;  // passes since the plane last carried weight
  Eigen::MatrixXd gram_;
  Eigen::VectorXd alpha_;
  // The best point, its image, the programme's point and image.
  std::vector<double> best_, best_image_, next_, next_image_;
  double best_risk_ = 0, risk_at_zero_ = 0;
  int stalled_ = 0;                    // passes since the bound last rose
  std::vector<double> slope_at_zero_;  // a subgradient of R at 0
  std::vector<double> solution_;
  std::vector<double> slope_, best_slope_;  // ∂r at the last image looked at, and at the best one
};

}  // namespace podium
