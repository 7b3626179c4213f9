// Reciprocal rank: Δ = 1 − 1/(1 + r) with r the rank of the topmost good, 1 from rank k on.
// Rankings fall into clusters of equal Δ (r = 0 … k − 1, and r ≥ k); inside a cluster the best is
// known.
//
//   φ_mrr  δφ = Σ_{b above g₀} (x_{g₀} − x_b). The r best bads, then the worst good
//          [Chakrabarti08, Figure 3].
//   φ_po   The best good at column r, the others at max(r, p_g), from prefix sums.
//
// Both O(n log n + k). Without a cut-off (k = 0) Δ = 1 − 1/(1 + r) for every r. Differs from
// [Chakrabarti08]: Δ takes the values 1 − 1/(1+r), not multiples of 1/k.
#include <algorithm>

#include <fmt/format.h>

#include "oracles/catalog.h"
#include "oracles/options.h"
#include "oracles/partial_order.h"

namespace podium {

const Choices<FeatureMap>& feature_maps() {
  static const Choices<FeatureMap> choices = {{"mrr", FeatureMap::topmost_good},
                                              {"po", FeatureMap::all_pairs}};
  return choices;
}

const OptionTable<ReciprocalRankOracleOptions>& reciprocal_rank_oracle_table() {
  using Options = ReciprocalRankOracleOptions;
  static const auto options =
      OptionTable<Options>()
          .add("k", &Options::k, "only the first k ranks count; 0: all", at_least(0))
          .add("map", &Options::map,
               "feature map: mrr counts non-relevant documents above the first relevant one, po "
               "all pairs",
               feature_maps());
  return options;
}

namespace {

// The cut-off for a query; without one, a rank that is never reached.
std::size_t cut_off(std::size_t k, std::size_t bads) {
  return k ? k : bads + 1;
}

// The best rank for the topmost good: value(r) for r < k, and value(fold) with Δ = 1 if there are k
// bads.
template <class Value>
std::size_t best_rank(std::size_t k, std::size_t bads, std::size_t fold, const Value& value) {
  std::size_t best = 0;
  double top = value(0);
  const auto offer = [&](std::size_t r) {
    const double v = value(r);
    if (v > top) {
      top = v;
      best = r;
    }
  };
  for (std::size_t r = 1; r < k && r <= bads; ++r) offer(r);
  if (bads >= k) offer(fold);
  return best;
}

double loss(std::size_t rank, std::size_t k) {
  return rank < k ? 1 - 1 / static_cast<double>(1 + rank) : 1.0;
}

double most_violated_mrr(const OracleQuery& query, std::span<const double> scores, std::size_t k,
                         std::span<double> c) {
  const SortedQuery sorted(query, scores);
  k = cut_off(k, sorted.bads());
  const double worst = sorted.good_score.back();
  std::vector<double> sums(sorted.bads() + 1);
  for (std::size_t b = 0; b < sorted.bads(); ++b) sums[b + 1] = sums[b] + sorted.bad_score[b];
  std::size_t above = 0;
  while (above < sorted.bads() && sorted.bad_score[above] > worst) ++above;
  const std::size_t rank = best_rank(k, sorted.bads(), std::max(k, above), [&](std::size_t r) {
    return loss(r, k) + sums[r] - static_cast<double>(r) * worst;
  });
  std::fill(c.begin(), c.end(), 0.0);
  c[sorted.good.back()] = static_cast<double>(rank);
  for (std::size_t b = 0; b < rank; ++b) c[sorted.bad[b]] = -1;
  average_ties(sorted.good, sorted.good_score, c);
  average_ties(sorted.bad, sorted.bad_score, c);
  return loss(rank, k);
}

double most_violated_po(const OracleQuery& query, std::span<const double> scores, std::size_t k,
                        std::span<double> c) {
  const PartialOrder order(query, scores);
  k = cut_off(k, order.bads());
  const std::size_t goods = order.goods();
  const auto natural = order.natural_columns();
  std::vector<double> natural_gain(goods + 1);
  for (std::size_t g = goods; g-- > 1;)
    natural_gain[g] = natural_gain[g + 1] + order.gain(g, natural[g]);
  const auto value = [&](std::size_t r) {
    const auto split = static_cast<std::size_t>(
        std::upper_bound(natural.begin() + 1, natural.end(), r) - natural.begin());
    return loss(r, k) + order.gain(0, split, r) + natural_gain[split];
  };
  const std::size_t rank = best_rank(k, order.bads(), std::max<std::size_t>(k, natural[0]), value);
  std::vector<std::uint32_t> columns(goods, static_cast<std::uint32_t>(rank));
  for (std::size_t g = 1; g < goods; ++g) columns[g] = std::max(columns[g], natural[g]);
  order.coefficients(columns, c);
  return loss(rank, k);
}

// The best-scored good, below all bads that are scored above it.
void topmost_by_score(const OracleQuery& query, std::span<const double> scores,
                      std::span<double> c) {
  const SortedQuery sorted(query, scores);
  std::fill(c.begin(), c.end(), 0.0);
  std::size_t above = 0;
  while (above < sorted.bads() && sorted.bad_score[above] > sorted.good_score[0])
    c[sorted.bad[above++]] = -1;
  c[sorted.good[0]] = static_cast<double>(above);
  average_ties(sorted.good, sorted.good_score, c);
}

std::string spec(std::string_view options, std::size_t k) {
  return fmt::format("reciprocal-rank{}@{}", options, k);
}

// φ_mrr.
class TopmostGood final : public RankingOracle {
 public:
  explicit TopmostGood(std::size_t k) : k_(k) {}
  std::string name() const override { return spec("", k_); }
  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    return most_violated_mrr(query, scores, k_, c);
  }
  void by_score(const OracleQuery& query, std::span<const double> scores,
                std::span<double> c) const override {
    topmost_by_score(query, scores, c);
  }
  Goods goods() const noexcept override { return Goods::topmost; }

 private:
  std::size_t k_;
};

// φ_po.
class AllPairs final : public PartialOrderOracle {
 public:
  explicit AllPairs(std::size_t k) : k_(k) {}
  std::string name() const override { return spec("(map=po)", k_); }
  double most_violated(const OracleQuery& query, std::span<const double> scores,
                       std::span<double> c) const override {
    return most_violated_po(query, scores, k_, c);
  }

 private:
  std::size_t k_;
};

}  // namespace

const Entry<RankingOracle> kReciprocalRankOracle = {
    "reciprocal-rank", "1 − reciprocal rank, cut off at k", "Chakrabarti08",
    []() -> const std::vector<Field>& { return reciprocal_rank_oracle_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const RankingOracle> {
      const ReciprocalRankOracleOptions options = reciprocal_rank_oracle_table().read(settings);
      const auto k = static_cast<std::size_t>(options.k);
      if (options.map == FeatureMap::all_pairs) return std::make_unique<AllPairs>(k);
      return std::make_unique<TopmostGood>(k);
    }};

}  // namespace podium
