// Linear models for convex losses by cutting planes, along a path of C, with a certificate:
//
//   min_w  ½‖w‖² + C · (1/|Q|) Σ_q L_q(X_q w)
//
// |Q| is the total weight of the queries that contribute to the loss; the others are skipped and
// reported. If a shift of all scores changes the loss, the model has a bias, regularised like a
// weight. A loss that is not convex but has convex bounds is trained by concave–convex steps from
// the optimum of its convex bound (concave_convex.h), without a certificate.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "podium/learner.h"

namespace podium {

struct CuttingPlaneTraining {
  std::string c = "auto";  // one value, a list, or auto
  double epsilon = 1e-3;
  double max_seconds = 0;
  std::int64_t max_passes = 10000;
  std::string advice = {};  // what to try if the optimum is w = 0: "‹map po›"
};

// Ascending; "auto" is a path of decades with validation data, and 1 without. Throws a usage Error
// unless all are > 0.
std::vector<double> parse_c_path(std::string_view text, bool has_validation);

TrainingResult train_by_cutting_planes(const TrainingProblem& problem, const Loss& loss,
                                       const CuttingPlaneTraining& options, Context& context);
MemoryNeed memory_of_cutting_planes(const Dataset& train);

}  // namespace podium
