// t = mean / (deviation / √n), against Student's t with n − 1 degrees of freedom.
#include <cmath>

#include "experiments/statistics/distributions.h"
#include "experiments/statistics/moments.h"
#include "experiments/statistics/no_result.h"
#include "podium/significance.h"

namespace podium {

TestResult paired_t(const PairedDifferences& differences) {
  TestResult result = unfinished_test("paired t", differences);
  result.computation = Computation::analytic;
  result.reason = too_few(differences, 2);
  if (!result.reason.empty()) return result;
  const Moments moments = moments_of(differences.values);
  if (moments.deviation <= differences.resolution) {
    result.reason = moments.mean == 0 ? "all differences are 0: t is undefined"
                                      : "all differences are the same: t is undefined";
    return result;
  }
  const auto n = static_cast<double>(result.queries);
  result.statistic = moments.mean / (moments.deviation / std::sqrt(n));
  result.p = student_t_two_sided(result.statistic, n - 1);
  return result;
}

}  // namespace podium
