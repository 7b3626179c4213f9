// Max-T: p-values adjusted for all pairs of a family by the distribution of the largest statistic
// under common sign flips, which keeps the correlation between systems. [Westfall93],
// step-down: with |t_(1)| ≥ |t_(2)| ≥ … observed, the adjusted p of (i) is the share of flips where
// the largest |t| among (i), (i + 1), … reaches |t_(i)|, made monotone in i.
//
// A flip does not change Σ d², so |t| grows with u = |Σ s d| / √Σ d², and u is compared.
//
// Sums are linear: with one column of differences from a reference system per system, Σ s (x_i −
// x_j) of every pair is a subtraction. Only if different systems lack different queries does each
// pair need its own column.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "experiments/statistics/flip_tests.h"
#include "experiments/statistics/moments.h"
#include "experiments/statistics/no_result.h"
#include "experiments/statistics/sign_flips.h"
#include "experiments/statistics/system_values.h"
#include "podium/error.h"
#include "podium/significance.h"

namespace podium {
namespace {

// A member's sums are those of column `plus` minus those of column `minus`.
struct Hypothesis {
  std::size_t member = 0, plus = 0, minus = 0;
  double scale = 0;     // 1 / √Σ d²; 0 when all differences are 0
  double observed = 0;  // u
  double bar = 0;       // u minus its rounding

  double u(const double* sums) const { return std::abs(sums[plus] - sums[minus]) * scale; }
};

struct Problem {
  Family family;
  std::vector<Hypothesis> hypotheses;
  std::vector<std::vector<double>> columns;
};

// Whether differences from system 0 suffice for all pairs: the same queries are missing everywhere,
// and no difference is infinite.
bool one_reference_suffices(SystemValues values) {
  for (const auto& system : values) {
    if (paired_differences(system, values[0]).unusable) return false;
    for (std::size_t q = 0; q < system.size(); ++q)
      if (std::isnan(system[q]) != std::isnan(values[0][q])) return false;
  }
  return true;
}

// The differences with a 0 for every query that paired_differences dropped.
std::vector<double> aligned(const PairedDifferences& differences, std::span<const double> a,
                            std::span<const double> b) {
  std::vector<double> column(a.size());
  if (differences.unusable) return column;
  std::size_t next = 0;
  for (std::size_t q = 0; q < a.size(); ++q)
    if (!std::isnan(a[q]) && !std::isnan(b[q])) column[q] = differences.values[next++];
  return column;
}

// Adds the pair to the family, and to the hypotheses if it can be tested.
void add_member(Problem& problem, SystemValues values, std::size_t first, std::size_t second,
                std::size_t plus, std::size_t minus) {
  const PairedDifferences differences = paired_differences(values[first], values[second]);
  FamilyMember member{first,
                      second,
                      differences.values.size(),
                      differences.dropped,
                      moments_of(differences.values).mean,
                      {},
                      {},
                      too_few(differences, 2)};
  if (member.reason.empty()) {
    double squares = 0;
    for (const double d : differences.values) squares += d * d;
    problem.hypotheses.push_back(
        {problem.family.members.size(), plus, minus, squares > 0 ? 1 / std::sqrt(squares) : 0});
  }
  problem.family.members.push_back(std::move(member));
}

void observe(Problem& problem, const FlipColumns& columns) {
  const std::vector<double> sums = columns.unflipped();
  std::vector<double> absolute;
  for (const auto& column : problem.columns)
    absolute.push_back(std::accumulate(column.begin(), column.end(), 0.0,
                                       [](double sum, double x) { return sum + std::abs(x); }));
  for (Hypothesis& h : problem.hypotheses) {
    h.observed = h.u(sums.data());
    h.bar = h.observed - kRounding * (absolute[h.plus] + absolute[h.minus]) * h.scale;
  }
  std::stable_sort(problem.hypotheses.begin(), problem.hypotheses.end(),
                   [](const auto& a, const auto& b) { return a.observed > b.observed; });
}

// Counts for hypothesis i, in descending order of u: at i, flips whose own u reaches its bar; at
// size + i, those for which the maximum over i, i + 1, … does.
void tally_flips(std::span<const Hypothesis> hypotheses, const FlipSums& sums,
                 std::span<std::uint64_t> counts) {
  const std::size_t size = hypotheses.size();
  for (std::size_t f = 0; f < sums.flips; ++f) {
    double largest = 0;
    for (std::size_t i = size; i-- > 0;) {
      const double u = hypotheses[i].u(sums.of_flip(f));
      largest = std::max(largest, u);
      counts[i] += u >= hypotheses[i].bar;
      counts[size + i] += largest >= hypotheses[i].bar;
    }
  }
}

Family solve(Problem problem, std::size_t permutations, Context& context) {
  const FlipColumns columns(problem.columns);
  observe(problem, columns);
  const Flips flips = columns.plan(permutations, flip_seed(context));
  const auto& hypotheses = problem.hypotheses;
  const std::size_t size = hypotheses.size();
  const auto counts = columns.count(
      flips, 2 * size,
      [&](const FlipSums& sums, std::span<std::uint64_t> chunk) {
        tally_flips(hypotheses, sums, chunk);
      },
      context.pool);
  problem.family.computation = flips.computation;
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    FamilyMember& member = problem.family.members[hypotheses[i].member];
    largest = std::max(largest, flips.p(counts[size + i]));
    member.p = flips.p(counts[i]);
    member.adjusted = largest;
  }
  return std::move(problem.family);
}

// Column i: system i minus the reference.
std::vector<std::vector<double>> columns_against(SystemValues values, std::size_t reference) {
  std::vector<std::vector<double>> columns;
  for (const auto& system : values)
    columns.push_back(
        aligned(paired_differences(system, values[reference]), system, values[reference]));
  return columns;
}

}  // namespace

Family max_t_against(SystemValues values, std::size_t baseline, std::size_t permutations,
                     Context& context) {
  check_permutations(permutations);
  check_same_length(values);
  if (baseline >= values.size())
    throw Error(ErrorCode::usage,
                fmt::format("baseline {} is not one of the {} systems", baseline, values.size()));
  Problem problem;
  problem.columns = columns_against(values, baseline);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i != baseline) add_member(problem, values, i, baseline, i, baseline);
  return solve(std::move(problem), permutations, context);
}

Family max_t_all_pairs(SystemValues values, std::size_t permutations, Context& context) {
  check_permutations(permutations);
  check_same_length(values);
  Problem problem;
  if (values.empty()) return problem.family;
  const bool shared = one_reference_suffices(values);
  if (shared)
    problem.columns = columns_against(values, 0);
  else
    problem.columns.emplace_back(values[0].size());  // the zeros that are subtracted
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      if (!shared)
        problem.columns.push_back(
            aligned(paired_differences(values[i], values[j]), values[i], values[j]));
      add_member(problem, values, i, j, shared ? i : problem.columns.size() - 1, shared ? j : 0);
    }
  return solve(std::move(problem), permutations, context);
}

}  // namespace podium
