// Is one system better than another, and by how much? The input comes from the evaluator: one value
// per query for each system, NaN if the query was skipped. The steps of a comparison:
//   1. paired_differences(a, b): a_q − b_q of the queries that both systems have;
//   2. effect(): how large the difference is, always shown;
//   3. a test: paired_t, randomisation, wilcoxon, sign_test, all two-sided;
//   4. bootstrap_interval(): an interval for the mean difference;
//   5. for many systems: max_t_against, max_t_all_pairs, or holm / benjamini_hochberg.
// If a p-value cannot be computed, the result has a reason instead. Results depend on the context's
// seed, never on its number of threads. docs/guide/statistics.md explains when to use which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "podium/context.h"
#include "podium/options.h"

namespace podium {

// Differences smaller than this part of the largest value are rounding, and count as 0.
inline constexpr double kRounding = 1e-12;

struct PairedDifferences {
  std::vector<double> values;  // a_q − b_q in query order; empty when `unusable`
  std::size_t dropped = 0;     // queries where a or b is NaN
  std::size_t unusable = 0;    // differences that are infinite or beyond 1e100
  double resolution = 0;       // kRounding · the largest |value|
};
// Throws an Error if the lengths differ.
PairedDifferences paired_differences(std::span<const double> a, std::span<const double> b);

struct Interval {
  double low = 0, high = 0;
};

// How large a difference is.
struct Effect {
  std::size_t queries = 0, wins = 0, ties = 0, losses = 0;
  double mean = 0;                   // of the differences; NaN without queries
  std::optional<double> cohens_dz;   // mean / standard deviation; none when the latter is 0
  std::optional<Interval> interval;  // of the mean, by Student's t; from two queries on
};
Effect effect(const PairedDifferences& differences, double confidence = 0.95);

enum class Computation {
  exact,       // the whole null distribution
  sampled,     // p = (b + 1) / (m + 1) of m random sign flips
  asymptotic,  // a limiting distribution
  analytic,    // the distribution under the test's own assumptions
};

struct TestResult {
  std::string_view test;    // "paired t", …
  std::optional<double> p;  // two-sided
  double statistic = 0;     // t; mean difference; W⁺; wins. NaN without p
  std::size_t queries = 0;  // used in the statistic
  Computation computation = Computation::exact;
  std::string reason;   // why there is no p
  std::string warning;  // mostly empty
};

inline constexpr std::size_t kPermutations = 10000;  // of flips and of resamples, as a default

// Student's t with n − 1 degrees of freedom.
TestResult paired_t(const PairedDifferences& differences);
// Random signs of the differences against their mean; every sign pattern once if `permutations` are
// enough for that.
TestResult randomisation(const PairedDifferences& differences, std::size_t permutations,
                         Context& context);
// Wilcoxon's signed ranks: zeros left out, mid-ranks for ties; exact up to 100 differences.
TestResult wilcoxon(const PairedDifferences& differences);
// Wins against losses, ties left out.
TestResult sign_test(const PairedDifferences& differences);

// One of the above.
enum class PairedTest { t, randomisation, wilcoxon, sign };
const Choices<PairedTest>& paired_tests();
TestResult paired_test(PairedTest test, const PairedDifferences& differences,
                       std::size_t permutations, Context& context);

// "36/14 **": wins and losses, and two stars if the test is significant at 0.05, as in the
// tables of [Yue07] (whose test is `wilcoxon`).
std::string win_loss_text(const Effect& effect, const TestResult& test);

enum class Bootstrap {
  percentile,
  bca,  // bias-corrected and accelerated
};
struct BootstrapInterval {
  std::optional<Interval> interval;  // of the mean difference
  std::string reason;                // why there is none
};
BootstrapInterval bootstrap_interval(const PairedDifferences& differences, Bootstrap kind,
                                     double confidence, std::size_t resamples, Context& context);

// Adjusted p-values, in the order given; a missing one stays missing and is not counted.
using PValues = std::vector<std::optional<double>>;
PValues holm(const PValues& p);                // controls the chance of any false positive
PValues benjamini_hochberg(const PValues& p);  // controls the expected share of false positives

// Values of several systems, [system][query].
using SystemValues = std::span<const std::vector<double>>;

// One pair of a family; `first` is better where mean > 0.
struct FamilyMember {
  std::size_t first = 0, second = 0;
  std::size_t queries = 0, dropped = 0;
  double mean = 0;                 // of the differences
  std::optional<double> p;         // of this pair alone, by the same sign flips
  std::optional<double> adjusted;  // for all pairs of the family: step-down max-T
  std::string reason;              // why there is no p
};
struct Family {
  std::vector<FamilyMember> members;
  Computation computation = Computation::exact;
};
// Every other system against `baseline`, which is `second`.
Family max_t_against(SystemValues values, std::size_t baseline, std::size_t permutations,
                     Context& context);
// All pairs first < second.
Family max_t_all_pairs(SystemValues values, std::size_t permutations, Context& context);

enum class Standing {
  best,       // the highest mean (of equal ones, all)
  not_worse,  // not significantly worse than the best
  worse,      // significantly worse than the best
  unknown,    // no test was possible
};
// The marks in a column of a table. Uses adjusted p-values of all pairs, because the best is chosen
// on the same data. Each system's mean is over its own queries.
std::vector<Standing> standings(SystemValues values, const Family& all_pairs, double alpha = 0.05);
// By the given values, one per system, instead of means.
std::vector<Standing> standings(std::span<const double> figures, const Family& all_pairs,
                                double alpha);

// How often each system's value beats another's on the same data set, over all sets. [Tan13]
// section 3.1.1. values: [system][set]; NaN: no value, which neither wins nor loses.
std::vector<std::size_t> winning_numbers(SystemValues values);

// Means that vary over the folds of the data and over the seeds of training, kept apart. means:
// [seed][fold]; every seed has the same folds.
struct Variation {
  double mean = 0;
  std::optional<double> over_folds;  // standard deviation of the folds' means over seeds
  std::optional<double> over_seeds;  // standard deviation of the seeds' means over folds
};
Variation variation(SystemValues means);

}  // namespace podium
