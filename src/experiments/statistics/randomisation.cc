// Fisher's randomisation test: under the null hypothesis the systems may be exchanged on any query,
// which changes the sign of its difference. Sums that differ from the observed one only by rounding
// count as equal to it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "experiments/statistics/flip_tests.h"
#include "experiments/statistics/no_result.h"
#include "experiments/statistics/sign_flips.h"
#include "podium/significance.h"

namespace podium {

TestResult randomisation(const PairedDifferences& differences, std::size_t permutations,
                         Context& context) {
  check_permutations(permutations);
  TestResult result = unfinished_test("randomisation", differences);
  result.reason = too_few(differences, 2);
  if (!result.reason.empty()) return result;
  const FlipColumns columns({&differences.values, 1});
  const Flips flips = columns.plan(permutations, flip_seed(context));
  const double observed = columns.unflipped().front();
  double absolute = 0;
  for (const double d : differences.values) absolute += std::abs(d);
  const double bar = std::abs(observed) - kRounding * absolute;
  const auto counts = columns.count(
      flips, 1,
      [&](const FlipSums& sums, std::span<std::uint64_t> as_extreme) {
        for (std::size_t i = 0; i < sums.flips; ++i)
          as_extreme[0] += std::abs(*sums.of_flip(i)) >= bar;
      },
      context.pool);
  result.statistic = observed / static_cast<double>(result.queries);
  result.computation = flips.computation;
  result.p = flips.p(counts.front());
  if (columns.rows() < 6)
    result.warning =
        fmt::format("{} differences other than 0: p cannot be below {:.3g}", columns.rows(),
                    std::min(1.0, math::exp2(1 - static_cast<double>(columns.rows()))));
  return result;
}

}  // namespace podium
