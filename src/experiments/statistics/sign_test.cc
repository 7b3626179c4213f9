// The sign test: wins are Binomial(wins + losses, ½); P(X ≥ k) = I_½(k, n − k + 1).
#include <algorithm>

#include "experiments/statistics/incomplete_beta.h"
#include "experiments/statistics/no_result.h"
#include "podium/significance.h"

namespace podium {

TestResult sign_test(const PairedDifferences& differences) {
  TestResult result = unfinished_test("sign", differences);
  result.reason = too_few(differences, 2);
  if (!result.reason.empty()) return result;
  const Effect counts = effect(differences);
  const std::size_t n = counts.wins + counts.losses;
  result.queries = n;
  if (n == 0) {
    result.reason = "all differences are 0: there are neither wins nor losses";
    return result;
  }
  const auto more = static_cast<double>(std::max(counts.wins, counts.losses));
  const double tail =
      regularised_incomplete_beta(more, static_cast<double>(n) - more + 1, 0.5, 0.5);
  result.statistic = static_cast<double>(counts.wins);
  result.p = std::min(1.0, 2 * tail);
  return result;
}

}  // namespace podium
