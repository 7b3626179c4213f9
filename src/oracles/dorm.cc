// DORM: Δ = 1 − nDCG@k with the permutation feature map φ(y) = Σ_i A(y(i)) x_i of [Le07] and
// [Chakrabarti08] eq. 6, where A is a decay profile over ranks. The most violated ranking maximises
//
//   Σ_i s_i A(y(i)) − z_i D(y(i)) / DCG*
//
// with z the gains. Documents with the same gain keep score order, so for two gains it is a merge
// of two sorted lists, O(n⁺n⁻), or O(n log n + m²) if A and D are 0 from rank m on. With more gains
// it is a linear assignment of the first m ranks to documents, O(m² n), or O(n³) if A or D is never
// 0.
//
// c_i = A*(i) − A(y(i)), where A*(i) is the mean of A over the ranks of i's gain in the ideal
// order: y* is not unique, and with any single choice the loss would depend on input order or not
// be convex.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/math_functions.h"
#include "core/spec.h"
#include "measures/choices.h"
#include "oracles/catalog.h"
#include "oracles/discount.h"
#include "oracles/options.h"
#include "oracles/partial_order.h"
#include "solvers/assignment.h"

namespace podium {

const Choices<RankDecay>& rank_decays() {
  static const Choices<RankDecay> choices = {{"sqrt", RankDecay::sqrt},
                                             {"log2", RankDecay::log2},
                                             {"reciprocal", RankDecay::reciprocal},
                                             {"linear", RankDecay::linear}};
  return choices;
}

const Choices<RankingOracle::Labels>& oracle_labels() {
  using Labels = RankingOracle::Labels;
  static const Choices<Labels> choices = {{"graded", Labels::graded}, {"binary", Labels::binary}};
  return choices;
}

const OptionTable<DormOracleOptions>& dorm_oracle_table() {
  using Options = DormOracleOptions;
  static const auto options =
      OptionTable<Options>()
          .add("k", &Options::k, "nDCG's cut-off; 0: none", at_least(0))
          .add("discount", &Options::discount, "rank discount of nDCG", discount_choices())
          .add("decay", &Options::decay, "A(r): 1/sqrt(1+r), 1/log2(2+r), 1/(1+r), or 1 − r/cut",
               rank_decays())
          .add("cut", &Options::cut, "the decay A is 0 from this rank on; 0: never", at_least(0))
          .add("labels", &Options::labels, "all grades, or relevant and non-relevant only",
               oracle_labels())
          .add("gain", &Options::gain, "gain function of nDCG", gain_choices());
  return options;
}

namespace {

// The part of a query that does not depend on scores.
struct Problem {
  std::vector<double> gain;         // z_i / DCG*, one per document
  std::vector<double> decay;        // A(r), r < depth
  std::vector<double> discount;     // D(r), r < depth
  std::vector<double> ideal_decay;  // A*(i)
  std::size_t depth = 0;            // A and D are 0 from here on

  // The value of document i with score s at rank r.
  double value(std::size_t i, double s, std::size_t r) const {
    return s * decay[r] - gain[i] * discount[r];
  }
};

using Ranking = std::vector<std::uint32_t>;  // documents at ranks 0 … depth − 1

// All documents, largest value first, ties in input order.
Ranking descending(std::span<const double> values) {
  Ranking order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
  return order;
}

// Documents with two gains: a merge of two lists in score order, by dynamic programming over the
// number of each among the first ranks.
Ranking merge(const Problem& problem, std::span<const double> scores, const Ranking& high,
              const Ranking& low, StopCheck stop) {
  const std::size_t depth = problem.depth;
  const std::size_t rows = std::min(high.size(), depth) + 1,
                    columns = std::min(low.size(), depth) + 1;
  std::vector<double> best(rows * columns, -HUGE_VAL);
  std::vector<char> from_high(rows * columns);
  best[0] = 0;
  for (std::size_t a = 0; a < rows; ++a) {
    stop();
    for (std::size_t b = 0; b < columns && a + b <= depth; ++b) {
      double& here = best[a * columns + b];
      if (a > 0) {
        const std::uint32_t i = high[a - 1];
        here = best[(a - 1) * columns + b] + problem.value(i, scores[i], a + b - 1);
        from_high[a * columns + b] = 1;
      }
      if (b > 0) {
        const std::uint32_t i = low[b - 1];
        const double other = best[a * columns + b - 1] + problem.value(i, scores[i], a + b - 1);
        if (a == 0 || other > here) {
          here = other;
          from_high[a * columns + b] = 0;
        }
      }
    }
  }
  std::size_t a = depth < columns ? 0 : depth - (columns - 1);  // on the last diagonal
  for (std::size_t other = a; other < rows && other <= depth; ++other)
    if (best[other * columns + depth - other] > best[a * columns + depth - a]) a = other;
  std::size_t b = depth - a;
  Ranking ranking(depth);
  while (a + b > 0) {
    const std::size_t r = a + b - 1;
    ranking[r] = from_high[a * columns + b] ? high[--a] : low[--b];
  }
  return ranking;
}

Ranking assign_ranks(const Problem& problem, std::span<const double> scores, StopCheck stop) {
  const std::size_t n = scores.size();
  std::vector<double> cost(problem.depth * n);
  for (std::size_t r = 0; r < problem.depth; ++r)
    for (std::size_t i = 0; i < n; ++i) cost[r * n + i] = -problem.value(i, scores[i], r);
  return assign(problem.depth, n, cost, stop);
}

// Ties in score and gain, see average_ties().
void average_equals(std::span<const double> scores, std::span<const double> gains,
                    std::span<double> c) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (gains[a] != gains[b]) return gains[a] > gains[b];
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  std::vector<double> sorted;
  for (const std::uint32_t i : order) sorted.push_back(scores[i]);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && gains[order[end]] == gains[order[begin]]) ++end;
    average_ties(std::span(order).subspan(begin, end - begin),
                 std::span(sorted).subspan(begin, end - begin), c);
  }
}

class Dorm final : public RankingOracle {
 public:
  explicit Dorm(const DormOracleOptions& options) : options_(options) {}

  std::string name() const override {
    return format_spec("dorm", dorm_oracle_table().fields(),
                       dorm_oracle_table().settings(options_));
  }
  Labels labels() const noexcept override { return options_.labels; }
  LabelUse label_use() const override {
    if (options_.labels == Labels::binary || options_.gain == GradeGain::linear) return {};
    return {.growth = LabelUse::Growth::exp2};
  }

  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    const std::vector<double> gains = document_gains(query);
    const Ranking by_gain = descending(gains);
    const Problem problem = make_problem(gains, by_gain);
    const Ranking ranking = solve(problem, scores, gains, by_gain, query.stop);
    double reached = 0;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = problem.ideal_decay[i];
    for (std::size_t r = 0; r < ranking.size(); ++r) {
      c[ranking[r]] -= problem.decay[r];
      reached += problem.gain[ranking[r]] * problem.discount[r];
    }
    average_equals(scores, gains, c);
    return 1 - reached;
  }

  void by_score(const OracleQuery& query, std::span<const double> scores,
                std::span<double> c) const override {
    const std::vector<double> gains = document_gains(query);
    const Ranking by_gain = descending(gains), ranking = descending(scores);
    const Problem problem = make_problem(gains, by_gain);
    std::vector<double> sorted;
    for (const std::uint32_t i : ranking) sorted.push_back(scores[i]);
    std::fill(c.begin(), c.end(), 0.0);
    for (std::size_t r = 0; r < problem.depth; ++r) c[ranking[r]] = problem.decay[r];
    average_ties(ranking, sorted, c);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = problem.ideal_decay[i] - c[i];
  }

 private:
  std::vector<double> document_gains(const OracleQuery& query) const {
    std::vector<double> gains(query.labels.size());
    if (labels() == Labels::binary) {
      for (const std::uint32_t i : query.good) gains[i] = 1;
      return gains;
    }
    const float top = *std::max_element(query.labels.begin(), query.labels.end());
    for (std::size_t i = 0; i < gains.size(); ++i) {
      const double grade = std::max(0.0F, query.labels[i]);
      // (2^g − 1) / 2^top: nDCG does not depend on the scale, and no grade overflows.
      gains[i] =
          options_.gain == GradeGain::linear ? grade : math::exp2(grade - top) - math::exp2(-top);
    }
    return gains;
  }

  double decay(std::size_t r, std::size_t n) const {
    const auto rank = static_cast<double>(r);
    const std::size_t cut = options_.cut ? static_cast<std::size_t>(options_.cut) : n;
    if (r >= cut) return 0;
    switch (options_.decay) {
      case RankDecay::sqrt:
        return 1 / std::sqrt(1 + rank);
      case RankDecay::log2:
        return 1 / math::log2(2 + rank);
      case RankDecay::reciprocal:
        return 1 / (1 + rank);
      case RankDecay::linear:
        break;
    }
    return 1 - rank / static_cast<double>(cut);
  }

  Problem make_problem(std::span<const double> gains, const Ranking& by_gain) const {
    const std::size_t n = gains.size();
    const auto limit = [n](std::int64_t given) {
      return given ? std::min(n, static_cast<std::size_t>(given)) : n;
    };
    Problem problem;
    problem.depth = std::max(limit(options_.k), limit(options_.cut));
    problem.discount = discounts(options_.discount, problem.depth);
    std::fill(problem.discount.begin() + static_cast<std::ptrdiff_t>(limit(options_.k)),
              problem.discount.end(), 0.0);
    for (std::size_t r = 0; r < problem.depth; ++r) problem.decay.push_back(decay(r, n));

    double ideal = 0;
    for (std::size_t r = 0; r < problem.depth; ++r)
      ideal += gains[by_gain[r]] * problem.discount[r];
    for (const double z : gains) problem.gain.push_back(ideal > 0 ? z / ideal : 0.0);

    problem.ideal_decay.resize(n);
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
      double sum = 0;
      for (end = begin; end < n && gains[by_gain[end]] == gains[by_gain[begin]]; ++end)
        sum += end < problem.depth ? problem.decay[end] : 0.0;
      for (std::size_t r = begin; r < end; ++r)
        problem.ideal_decay[by_gain[r]] = sum / static_cast<double>(end - begin);
    }
    return problem;
  }

  static Ranking solve(const Problem& problem, std::span<const double> scores,
                       std::span<const double> gains, const Ranking& by_gain, StopCheck stop) {
    const double top = gains[by_gain.front()], bottom = gains[by_gain.back()];
    Ranking high, low;
    for (const std::uint32_t i : by_gain) {
      if (gains[i] == top)
        high.push_back(i);
      else if (gains[i] == bottom)
        low.push_back(i);
      else
        return assign_ranks(problem, scores, stop);
    }
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
    };
    std::sort(high.begin(), high.end(), better);
    std::sort(low.begin(), low.end(), better);
    return merge(problem, scores, high, low, stop);
  }

  DormOracleOptions options_;
};

}  // namespace

const Entry<RankingOracle> kDormOracle = {
    "dorm", "1 − nDCG with a decay profile over ranks as feature map", "Chakrabarti08",
    []() -> const std::vector<Field>& { return dorm_oracle_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const RankingOracle> {
      return std::make_unique<Dorm>(dorm_oracle_table().read(settings));
    }};

}  // namespace podium
