// The signed-rank test of [Wilcoxon45]. Zero differences are left out; equal magnitudes share the
// mean of their ranks. W⁺ is the sum of the ranks of positive differences.
//
// Exact: each rank is in W⁺ with probability ½, so the distribution of 2 W⁺ (an integer, also with
// mid-ranks) is built by adding one rank after another. Otherwise W⁺ is approximated as normal with
// mean n(n + 1)/4, variance n(n + 1)(2n + 1)/24 − Σ(t³ − t)/48 over groups of t ties, and a
// continuity correction of ½.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "experiments/statistics/distributions.h"
#include "experiments/statistics/no_result.h"
#include "podium/significance.h"

namespace podium {
namespace {

constexpr std::size_t kExactUpTo = 100;
constexpr std::size_t kManyQueries = 1000;

struct Ranks {
  std::vector<std::size_t> doubled;  // 2 · rank, smallest difference first
  std::size_t doubled_positive = 0;  // 2 W⁺
  double tie_correction = 0;         // Σ (t³ − t)
};

Ranks rank_sizes(const PairedDifferences& differences) {
  std::vector<double> nonzero;
  std::copy_if(differences.values.begin(), differences.values.end(), std::back_inserter(nonzero),
               [](double d) { return d != 0; });
  std::sort(nonzero.begin(), nonzero.end(),
            [](double x, double y) { return std::abs(x) < std::abs(y); });
  Ranks ranks;
  const auto size = [&](std::size_t i) { return std::abs(nonzero[i]); };
  for (std::size_t begin = 0, end = 0; begin < nonzero.size(); begin = end) {
    end = begin + 1;
    while (end < nonzero.size() && size(end) - size(end - 1) <= differences.resolution) ++end;
    const auto tied = static_cast<double>(end - begin);
    ranks.tie_correction += tied * (tied * tied - 1);
    for (std::size_t i = begin; i < end; ++i) {
      ranks.doubled.push_back(begin + end + 1);
      if (nonzero[i] > 0) ranks.doubled_positive += begin + end + 1;
    }
  }
  return ranks;
}

// Two-sided P(2 W⁺ ≤ least).
double exact_p(const Ranks& ranks, std::size_t least) {
  std::vector<double> probability(least + 1);
  probability[0] = 1;
  for (const std::size_t rank : ranks.doubled) {
    for (std::size_t w = least; w >= rank; --w)
      probability[w] = (probability[w] + probability[w - rank]) / 2;
    for (std::size_t w = 0; w < std::min(rank, least + 1); ++w) probability[w] /= 2;
  }
  double tail = 0;
  for (const double p : probability) tail += p;
  return std::min(1.0, 2 * tail);
}

double normal_p(const Ranks& ranks, double least) {
  const auto n = static_cast<double>(ranks.doubled.size());
  const double mean = n * (n + 1) / 4;
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_correction / 48;
  return normal_two_sided(std::max(0.0, mean - least - 0.5) / std::sqrt(variance));
}

}  // namespace

TestResult wilcoxon(const PairedDifferences& differences) {
  TestResult result = unfinished_test("Wilcoxon signed-rank", differences);
  result.reason = too_few(differences, 2);
  if (!result.reason.empty()) return result;
  const Ranks ranks = rank_sizes(differences);
  const std::size_t n = ranks.doubled.size();
  result.queries = n;
  if (n == 0) {
    result.reason = "all differences are 0: there is nothing to rank";
    return result;
  }
  const std::size_t least = std::min(ranks.doubled_positive, n * (n + 1) - ranks.doubled_positive);
  result.statistic = static_cast<double>(ranks.doubled_positive) / 2;
  result.computation = n <= kExactUpTo ? Computation::exact : Computation::asymptotic;
  result.p =
      n <= kExactUpTo ? exact_p(ranks, least) : normal_p(ranks, static_cast<double>(least) / 2);
  if (n < 6)
    result.warning = fmt::format("{} differences other than 0: p cannot be below {:.3g}", n,
                                 math::exp2(1 - static_cast<double>(n)));
  if (n > kManyQueries)
    result.warning = fmt::format(
        "{} queries: Wilcoxon's test asks for symmetry, not for equal means, and with so many "
        "queries it finds any skew significant; prefer the paired t or the randomisation test",
        n);
  return result;
}

}  // namespace podium
