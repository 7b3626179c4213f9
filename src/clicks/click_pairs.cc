// L = Σ n_ij w_ij |Δ_ij| log(1 + e^{−σ(x_i − x_j)}) over pairs (i clicked at k, j skipped at l).
//   pairwise [Hu19]  x = s, w = 1/(t⁺_k t⁻_l). After each round
//                    t⁺_k ∝ (Σ_{pairs at k} L_ij / t⁻_l)^{1/(1+r)}, t⁻ alike with the old t⁺, both
//                    divided by their value at the first position.
//   additive         x = s + b_position, w = 1. After each round half a Newton step on b, per
//                    position: pairs move both of their positions, so that half does not overshoot.
// |Δ_ij| is 1 for the logistic pair loss. For lambda-ndcg it is |1/log2(1 + rank_i) − 1/log2(1 +
// rank_j)|, the change of DCG if only i is relevant, and the pairs of a query are truncated and
// scaled as in lambda.cc, but near pairs do not count more: two documents are clicked in both
// orders, and the weight would hold their scores together. All of that is held fixed. n_ij is per
// session: sessions of a query count 1 on average.
#include "clicks/click_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "clicks/click_pair_rule.h"
#include "core/math_functions.h"
#include "core/order_free_sums.h"
#include "core/random.h"
#include "distributed/over_ranks.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kPairQueryChunk = 16;
constexpr double kSmallestBias = 1e-3;
constexpr double kShiftStep = 0.5;      // part of a Newton step on b
constexpr double kFarthestShift = 0.5;  // of b in one step

struct LogisticPair {
  double loss, slope, curvature;  // of log(1 + e^−x): −slope is its derivative
};
LogisticPair logistic_pair(double x) {
  const double e = math::exp(-std::abs(x));
  const double rho = x >= 0 ? e / (1 + e) : 1 / (1 + e);
  return {math::log1p(e) + std::max(-x, 0.0), rho, rho * (1 - rho)};
}

class BoundClickPairs final : public BoundLoss, public LossState {
 public:
  BoundClickPairs(const Dataset& data, const DebiasOptions& options, const ClickPairRule& rule,
                  const DocumentNumbers& numbers, const ClickPairs& pairs)
      : data_(data), options_(options), rule_(rule), positions_(pairs.positions) {
    const bool additive = options.debias == Debias::additive;
    values_.assign(2 * positions_, additive ? 0.0 : 1.0);
    std::vector<std::vector<ClickPair>> of_query;
    std::map<std::uint32_t, std::pair<std::size_t, std::uint32_t>> place;  // query, index in it
    for (std::size_t q = 0; q < data.queries(); ++q)
      for (std::size_t d = data.begin(q); d < data.end(q); ++d)
        place[numbers.of(data, q, d)] = {q, static_cast<std::uint32_t>(d - data.begin(q))};
    of_query.resize(data.queries());
    for (ClickPair pair : pairs.pairs) {
      const auto clicked = place.find(pair.clicked), skipped = place.find(pair.skipped);
      if (clicked == place.end() || skipped == place.end()) continue;
      pair.clicked = clicked->second.second;
      pair.skipped = skipped->second.second;
      of_query[clicked->second.first].push_back(pair);
    }
    for (auto& list : of_query) {
      // In the order of the bound data, which is that of the content: sums do not depend on rows.
      std::sort(list.begin(), list.end(), [](const ClickPair& a, const ClickPair& b) {
        return std::tie(a.clicked, a.skipped, a.clicked_position, a.skipped_position) <
               std::tie(b.clicked, b.skipped, b.clicked_position, b.skipped_position);
      });
      pairs_.insert(pairs_.end(), list.begin(), list.end());
      begin_.push_back(pairs_.size());
    }
  }

  bool informative(std::size_t q) const override { return begin_[q + 1] > begin_[q]; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    double value = 0, force = 0;
    const double sigma = rule_.sigma;
    for_each_pair(q, scores, [&](const ClickPair& pair, double weight, double x) {
      const LogisticPair one = logistic_pair(sigma * x);
      value += weight * one.loss;
      force += 2 * weight * sigma * one.slope;
      out.first[pair.clicked] -= weight * sigma * one.slope;
      out.first[pair.skipped] += weight * sigma * one.slope;
      if (out.second.empty()) return;
      out.second[pair.clicked] += weight * sigma * sigma * one.curvature;
      out.second[pair.skipped] += weight * sigma * sigma * one.curvature;
    });
    const double scale =
        data_.query_weight(q) * (rule_.scaled && force > 0 ? math::log2(1 + force) / force : 1);
    for (double& g : out.first) g *= scale;
    for (double& h : out.second) h *= scale;
    return scale * value;
  }

  // The biases are all that changes, and only in advance().
  LossState* state() const override { return const_cast<BoundClickPairs*>(this); }
  std::vector<double> values() const override { return values_; }
  void restore(std::span<const double> values) override {
    if (values.size() == values_.size()) values_.assign(values.begin(), values.end());
  }
  void advance(std::span<const double> scores, ThreadPool& pool, Communicator& comm) override {
    const std::vector<double> sums = sum_over_ranks(sums_at(scores, pool), comm);
    if (options_.debias == Debias::additive)
      advance_shifts(sums);
    else
      advance_ratios(sums);
  }

 private:
  // visit(pair, its weight before the query's scale, x_i − x_j) for the pairs of a query.
  template <class Visit>
  void for_each_pair(std::size_t q, std::span<const double> scores, const Visit& visit) const {
    const RankedPairs ranked = rule_.is_lambda ? ranks_and_discounts(q, scores) : RankedPairs();
    const bool additive = options_.debias == Debias::additive;
    for (std::size_t p = begin_[q]; p < begin_[q + 1]; ++p) {
      const ClickPair& pair = pairs_[p];
      double x = scores[pair.clicked] - scores[pair.skipped], weight = pair.count;
      const double plus = values_[pair.clicked_position];
      if (additive)
        x += plus - values_[pair.skipped_position];
      else
        weight /= plus * values_[positions_ + pair.skipped_position];
      if (rule_.is_lambda) {
        if (rule_.truncation > 0 && ranked.rank[pair.clicked] >= rule_.truncation &&
            ranked.rank[pair.skipped] >= rule_.truncation)
          continue;
        weight *= std::abs(ranked.discount[pair.clicked] - ranked.discount[pair.skipped]);
      }
      visit(pair, weight, x);
    }
  }

  // Of each document; equal scores in an order by hash.
  struct RankedPairs {
    std::vector<std::uint32_t> rank;  // from 0
    std::vector<double> discount;
  };
  RankedPairs ranks_and_discounts(std::size_t q, std::span<const double> scores) const {
    std::vector<std::uint32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    const std::uint64_t seed = data_.query_key(q);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : mix(seed, a) < mix(seed, b);
    });
    RankedPairs ranked{std::vector<std::uint32_t>(scores.size()),
                       std::vector<double>(scores.size())};
    for (std::uint32_t r = 0; r < order.size(); ++r) {
      ranked.rank[order[r]] = r;
      if (rule_.cutoff == 0 || r < rule_.cutoff)
        ranked.discount[order[r]] = 1 / math::log2(2.0 + r);
    }
    return ranked;
  }

  // pairwise: the losses at each position of the clicked, and of the skipped document, each with
  // the other's weight only. additive: slopes and curvatures by b.
  OrderFreeSums sums_at(std::span<const double> scores, ThreadPool& pool) const {
    const bool additive = options_.debias == Debias::additive;
    return parallel_reduce(
        pool, data_.queries(), kPairQueryChunk, OrderFreeSums(2 * positions_),
        [&](std::size_t begin, std::size_t end) {
          OrderFreeSums sums(2 * positions_);
          for (std::size_t q = begin; q < end; ++q) {
            const auto own = scores.subspan(data_.begin(q), data_.end(q) - data_.begin(q));
            for_each_pair(q, own, [&](const ClickPair& pair, double weight, double x) {
              const LogisticPair one = logistic_pair(rule_.sigma * x);
              weight *= data_.query_weight(q);
              const std::size_t k = pair.clicked_position, l = pair.skipped_position;
              if (!additive) {
                sums.add(k, weight * one.loss * values_[k]);
                sums.add(positions_ + l, weight * one.loss * values_[positions_ + l]);
              } else if (k != l) {
                sums.add(k, weight * one.slope);
                sums.add(l, -weight * one.slope);
                sums.add(positions_ + k, weight * one.curvature);
                sums.add(positions_ + l, weight * one.curvature);
              }
            });
          }
          return sums;
        },
        [](OrderFreeSums& total, const OrderFreeSums& part) { total += part; });
  }

  void advance_ratios(std::span<const double> sums) {
    const double power = 1 / (1 + options_.bias_regularisation);
    for (const std::size_t half : {std::size_t{0}, std::size_t{positions_}}) {
      const double first = sums[half];
      for (std::size_t k = 0; k < positions_; ++k) {
        const double here = sums[half + k];
        if (first > 0 && here > 0)
          values_[half + k] = std::max(math::pow(here / first, power), kSmallestBias);
      }
    }
  }

  void advance_shifts(std::span<const double> sums) {
    double mean = 0;
    for (std::size_t k = 0; k < positions_; ++k) mean += sums[positions_ + k];
    mean *= options_.bias_l2 / static_cast<double>(positions_) * 0.01;
    for (std::size_t k = 0; k < positions_; ++k) {
      const double curvature = sums[positions_ + k] + mean;
      if (!(curvature > 0)) continue;
      const double step = kShiftStep * (sums[k] - mean * values_[k]) / curvature;
      values_[k] += std::clamp(step, -kFarthestShift, kFarthestShift);
    }
    const double first = values_[0];
    for (std::size_t k = 0; k < positions_; ++k) values_[k] -= first;
  }

  const Dataset& data_;
  DebiasOptions options_;
  ClickPairRule rule_;
  std::size_t positions_;
  std::vector<ClickPair> pairs_;  // documents by their place in the query
  std::vector<std::size_t> begin_ = {0};
  std::vector<double> values_;  // t⁺ then t⁻, or b then nothing
};

class ClickPairLoss final : public Loss {
 public:
  ClickPairLoss(std::string name, LossTraits traits, const DebiasOptions& options,
                const ClickPairRule& rule, std::shared_ptr<const DocumentNumbers> numbers,
                std::shared_ptr<const ClickPairs> pairs)
      : name_(std::move(name)),
        traits_(traits),
        options_(options),
        rule_(rule),
        numbers_(std::move(numbers)),
        pairs_(std::move(pairs)) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override { return traits_; }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundClickPairs>(data, options_, rule_, *numbers_, *pairs_);
  }

 private:
  std::string name_;
  LossTraits traits_;
  DebiasOptions options_;
  ClickPairRule rule_;
  std::shared_ptr<const DocumentNumbers> numbers_;
  std::shared_ptr<const ClickPairs> pairs_;
};

}  // namespace

ClickPairs count_click_pairs(const ClickLog& log, const std::vector<std::uint32_t>& number,
                             double scale) {
  ClickPairs result;
  result.positions = log.positions;
  using Key = std::array<std::uint32_t, 4>;
  std::map<Key, double> counts;
  std::size_t s = 0;
  for (std::uint32_t q = 0; q < log.queries(); ++q) {
    counts.clear();
    for (; s < log.sessions.size() && log.sessions[s].query == q; ++s) {
      const auto shown = log.documents_of(log.sessions[s]);
      for (const ShownDocument& i : shown)
        for (const ShownDocument& j : shown)
          if (i.clicked && !j.clicked && log.sessions[s].count > 0)
            counts[{number[i.document], number[j.document], i.position - 1U, j.position - 1U}] +=
                log.sessions[s].count;
    }
    for (const auto& [key, count] : counts)
      result.pairs.push_back({key[0], key[1], static_cast<std::uint16_t>(key[2]),
                              static_cast<std::uint16_t>(key[3]), count * scale});
  }
  return result;
}

SharedLoss click_pair_loss(const SharedLoss& loss, const DebiasOptions& options,
                           std::shared_ptr<const DocumentNumbers> numbers,
                           std::shared_ptr<const ClickPairs> pairs) {
  const char* const method = options.debias == Debias::additive ? "additive" : "pairwise";
  return std::make_unique<ClickPairLoss>(fmt::format("{}-clicks({})", method, loss->name()),
                                         loss->traits(), options, click_pair_rule(*loss),
                                         std::move(numbers), std::move(pairs));
}

}  // namespace podium
