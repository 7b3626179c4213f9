// The concave–convex procedure [Yuille03] for linear models:
//
//   min_w  J(w) = ½‖w‖² + C·R(w),   R not convex, but with convex bounds that touch it
//
// Each step takes the bound B_t ≥ R that touches R at the scores of w_t (BoundLoss::convex_bound)
// and minimises ½‖w‖² + C·B_t(w) by cutting planes, starting at w_t. So J(w_{t+1}) ≤ J(w_t), and
// the procedure ends when a step gains less than ε of J.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "learners/structural/data_risk.h"
#include "solvers/cutting_plane.h"

namespace podium {

// The complete state of the procedure between two passes.
struct ConcaveConvexState {
  double c = 0;                    // of the current problem; 0: none
  std::int64_t steps = 0;          // finished steps
  std::vector<double> point;       // w_t
  double objective = 0, risk = 0;  // J and R there
  std::int64_t passes = 0;         // and seconds, of the start and all finished steps
  double seconds = 0;
  CuttingPlaneStop termination = CuttingPlaneStop::converged;
  CuttingPlaneState solver;  // of the current step

  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.c, self.steps, self.point, self.objective, self.risk, self.passes, self.seconds,
            self.termination, self.solver);
  }
};

class ConcaveConvex {
 public:
  ConcaveConvex(const LossOnData& on, CuttingPlaneOptions options, Context& context)
      : on_(on), options_(options), context_(context), true_risk_(on, *on.bound, context) {}

  // Starts a C at a point; the passes and seconds that were needed to find it are counted.
  void begin(double c, std::vector<double> start, std::int64_t passes = 0, double seconds = 0);
  // Continues from a state.
  void resume(ConcaveConvexState state);

  // Runs passes up to the next point where state() is complete (resumable), or to the end.
  CuttingPlaneSolver::Progress advance(const CuttingPlaneSolver::Watch& watch);
  const ConcaveConvexState& state() const noexcept { return state_; }

 private:
  CuttingPlaneOptions limits() const;
  void bind_step();
  double objective(std::span<const double> w, double& risk);

  const LossOnData& on_;
  CuttingPlaneOptions options_;
  Context& context_;
  DataRisk true_risk_;
  ConcaveConvexState state_;
  // The current step.
  std::unique_ptr<const BoundLoss> bound_;
  std::optional<DataRisk> risk_;
  std::optional<CuttingPlaneSolver> solver_;
};

}  // namespace podium
