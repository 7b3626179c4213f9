// Expected reciprocal rank [Chapelle09]: a user stops at a document of grade g with probability
// R(g) = (2^g − 1)/2^max, so ERR@k = Σ_{r<k} R(g_r)/(r + 1) · Π_{i<r} (1 − R(g_i)). Grades are
// clamped to [0, max]; max defaults to 4, as in the TREC web track's gdeval. Defined for every
// query.
//
// Under ties: the mean of Π (1 − R) over the first p documents of a group of t is e_p/C(t, p), with
// e_p the elementary symmetric polynomials of the 1 − R; the ratio itself follows a recurrence in
// which all numbers stay in [0, 1]. It is at most (mean of 1 − R)^p, so only the first ln ε/ln(that
// mean) positions matter, and documents with R = 0 need no step of the recurrence: a group takes at
// most O(t/mean R).
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/math_functions.h"
#include "measures/catalog.h"
#include "measures/definition.h"
#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

struct ErrOptions {
  double max = 4;
  std::int64_t k = 0;
};

class ExpectedReciprocalRank final : public DefinedMeasure {
 public:
  static constexpr std::string_view kName = "ERR";
  static const OptionTable<ErrOptions>& table() {
    static const auto table =
        OptionTable<ErrOptions>()
            .add("max", &ErrOptions::max,
                 "the top grade: stopping there has probability 1 - 2^-max", above(0))
            .add("k", &ErrOptions::k, kCutOffHelp, at_least(1));
    return table;
  }

  ExpectedReciprocalRank(std::string name, const ErrOptions& options)
      : DefinedMeasure(std::move(name)), max_(options.max), depth_(cut_off(options.k)) {
    for (std::size_t g = 0; g < kSmall; ++g) small_[g] = general(static_cast<double>(g));
  }

  std::optional<double> value(const RankedLabels& ranking) const override {
    return sum(ranking.by_rank, 0, 1);
  }

  std::optional<double> expected(const TieGroups& ties) const override {
    const std::span<const float> labels = ties.ranking.by_rank;
    double total = 0, going_on = 1;
    std::vector<double> reach;
    for_each_group(ties, depth_, [&](std::size_t begin, std::size_t end) {
      const auto group = labels.subspan(begin, end - begin);
      double stopping = 0;
      for (const float label : group) stopping += stop(label);
      if (stopping == 0) return;
      const std::size_t all = std::min(end, depth_) - begin;
      const std::size_t positions =
          std::min(all, matters(stopping / static_cast<double>(group.size())));
      mean_products(group, positions, reach);
      for (std::size_t p = 0; p < positions; ++p)
        total += going_on * (reach[p] - reach[p + 1]) / static_cast<double>(begin + p + 1);
      going_on *= positions < all ? 0 : reach[positions];
    });
    return total;
  }

  double swap_delta(const RankedLabels& ranking, std::size_t i, std::size_t j) const override {
    const std::span<const float> labels = ranking.by_rank;
    if (i > j) std::swap(i, j);
    const double upper = stop(labels[i]), lower = stop(labels[j]);
    if (i >= depth_ || upper == lower) return 0;
    double reach = 1;
    for (std::size_t r = 0; r < i; ++r) reach *= 1 - stop(labels[r]);
    // Ranks after j see the same product in another order.
    double before = upper / static_cast<double>(i + 1), after = lower / static_cast<double>(i + 1);
    double between = 1;
    for (std::size_t r = i + 1; r < std::min(j, depth_); ++r) {
      const double here = between * stop(labels[r]) / static_cast<double>(r + 1);
      before += (1 - upper) * here;
      after += (1 - lower) * here;
      between *= 1 - stop(labels[r]);
    }
    if (j < depth_) {
      before += (1 - upper) * between * lower / static_cast<double>(j + 1);
      after += (1 - lower) * between * upper / static_cast<double>(j + 1);
    }
    return reach * (after - before);
  }

  std::size_t depth() const override { return depth_; }
  MeasureForm form() const override {
    if (depth_ != kWholeList) return {};
    return {.kind = MeasureForm::Kind::cascade};
  }
  std::shared_ptr<const RankWeights> swap_weights() const override {
    return expected_reciprocal_rank_swap_weights(max_, depth_);
  }
  LabelUse label_use() const override { return {.top = max_, .ignores_negative = true}; }

 private:
  static constexpr std::size_t kSmall = 32;

  double general(double grade) const {
    return math::exp2(std::min(grade, max_) - max_) - math::exp2(-max_);
  }
  double stop(float label) const {
    if (!(label > 0)) return 0;
    const auto whole = static_cast<std::size_t>(label < kSmall ? label : 0);
    return static_cast<float>(whole) == label ? small_[whole] : general(label);
  }

  double sum(std::span<const float> labels, std::size_t rank, double going_on) const {
    double total = 0;
    const std::size_t end = std::min(depth_, labels.size());
    for (; rank < end; ++rank) {
      const double stopping = stop(labels[rank]);
      total += going_on * stopping / static_cast<double>(rank + 1);
      going_on *= 1 - stopping;
    }
    return total;
  }

  // The number of positions of a group after which the probability to continue is only rounding
  // error.
  static std::size_t matters(double mean_stop) {
    constexpr double kNegligible = 1e-18;
    if (mean_stop >= 1) return 1;
    return static_cast<std::size_t>(
               std::min(math::log(kNegligible) / math::log1p(-mean_stop), 1e18)) +
           1;
  }

  // reach[p] = mean over orders of Π (1 − R) over the group's first p documents, p = 0 … positions.
  void mean_products(std::span<const float> group, std::size_t positions,
                     std::vector<double>& reach) const {
    const auto stops_nobody = [this](float label) { return stop(label) == 0; };
    auto m = static_cast<std::size_t>(std::count_if(group.begin(), group.end(), stops_nobody));
    reach.assign(positions + 1, 0);
    std::fill_n(reach.begin(), std::min(m, positions) + 1, 1.0);
    for (const float label : group) {
      if (stops_nobody(label)) continue;
      const double pass = 1 - stop(label);
      ++m;
      for (std::size_t p = std::min(m, positions); p > 0; --p)
        reach[p] =
            (static_cast<double>(m - p) * reach[p] + static_cast<double>(p) * pass * reach[p - 1]) /
            static_cast<double>(m);
    }
  }

  double max_;
  std::size_t depth_;
  std::array<double, kSmall> small_;
};

}  // namespace

const Entry<Measure> kExpectedReciprocalRank = define<ExpectedReciprocalRank>(
    "expected reciprocal rank: graded, for a user who stops when satisfied", "Chapelle09");

}  // namespace podium
