// SoftRank [Taylor08]: one minus the expected nDCG@k if every score is a Gaussian with mean s_i and
// deviation σ. Document j then beats i with probability p_ji = Φ((s_j − s_i)/(√2 σ)); assuming
// independence, as the paper does, the rank of i is a sum of coins, whose distribution is built one
// coin at a time:
//
//   F_{t+1}(r) = (1 − p_t) F_t(r) + p_t F_t(r − 1)
//
// and the derivative by p_t is Σ_r F_t(r) (B_{t+1}(r + 1) − B_{t+1}(r)), with B the expected
// discount from there on: there is no division, so it is stable for any scores. The paper's
// recursion for derivatives is slower by a factor n. Not convex; the second derivatives are
// replaced by the sums of the terms' magnitudes over √2 σ. Documents' weights are not used.
//
// A list takes O(n · k · documents with gain) time and O(n k) memory, with k = n without a cut-off.
// In a long list with a cut-off only documents that may be among the first k are considered, about
// k + 100 of them (not those whose probability, by Chernoff's bound at their expected rank, is e^80
// below that of the best one), and only those rivals within 9 spreads: at most O(n k (k + 100)). A
// long list without a cut-off takes O(n), see long_soft_rank.h.
#include "losses/listwise/softrank.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/math_functions.h"
#include "core/sort_scores.h"
#include "losses/catalog.h"
#include "losses/listwise/long_soft_rank.h"
#include "losses/listwise/normalized_gains.h"
#include "losses/typed_loss.h"

namespace podium {
namespace {

const OptionTable<SoftRankOptions>& softrank_table() {
  static const auto options =
      OptionTable<SoftRankOptions>()
          .add("sigma", &SoftRankOptions::sigma, "standard deviation of the scores", above(0))
          .add("gain", &SoftRankOptions::gain, kGainHelp)
          .add("k", &SoftRankOptions::k, "cut-off of nDCG; 0: none", at_least(0));
  return options;
}

// The expected discount of a document with these coins, and its derivative by each coin.
class CoinSum {
 public:
  CoinSum(const Discount& discount, std::size_t ranks) : all_(ranks), end_(ranks + 1) {
    for (std::size_t r = 0; r < ranks; ++r) end_[r] = discount(r);
  }

  // Behind `certain` others, which must be fewer than the ranks.
  double expect(std::size_t certain, std::span<const double> coins, std::span<double> slopes,
                StopCheck stop) {
    stop();
    ranks_ = all_ - certain;
    const std::size_t n = coins.size(), row = ranks_ + 1;  // the last column: beyond the cut-off
    later_.resize((n + 1) * row);
    std::copy(end_.begin() + static_cast<std::ptrdiff_t>(certain), end_.end(),
              later_.begin() + static_cast<std::ptrdiff_t>(n * row));
    for (std::size_t t = n; t-- > 0;) {
      if (t % kCoinsAtOnce == 0) stop();
      const double* next = &later_[(t + 1) * row];
      double* here = &later_[t * row];
      for (std::size_t r = 0; r < ranks_; ++r)
        here[r] = (1 - coins[t]) * next[r] + coins[t] * next[r + 1];
      here[ranks_] = 0;
    }
    sum_.assign(row, 0.0);
    sum_[0] = 1;
    for (std::size_t t = 0; t < n; ++t) {
      if (t % kCoinsAtOnce == 0) stop();
      const double* next = &later_[(t + 1) * row];
      slopes[t] = 0;
      const std::size_t reached = std::min(t + 1, ranks_);
      for (std::size_t r = 0; r < reached; ++r) slopes[t] += sum_[r] * (next[r + 1] - next[r]);
      for (std::size_t r = std::min(t + 1, ranks_ - 1); r > 0; --r)
        sum_[r] = (1 - coins[t]) * sum_[r] + coins[t] * sum_[r - 1];
      sum_[0] *= 1 - coins[t];
    }
    return later_[0];
  }

 private:
  static constexpr std::size_t kCoinsAtOnce = 256;
  std::size_t all_, ranks_ = 0;
  std::vector<double> end_, later_, sum_;
};

constexpr std::size_t kLongSoftRankList = 256;
constexpr double kCertain = 9;        // spreads by which a document is certainly ahead
constexpr double kMostSpreads = 1e9;  // between two scores of a long list
constexpr double kUnlikely = 80;      // e^−80, relative to the best document
constexpr double kImpossible = -745;  // e^−745 is 0

// An upper bound of ln P(rank < k) for a document with this expected rank: Chernoff's bound.
double log_chance(double rank, std::size_t k) {
  const auto below = static_cast<double>(k - 1);
  if (rank <= below) return 0;
  return below - rank + (below > 0 ? below * math::log(rank / below) : 0);
}

class BoundSoftRank final : public BoundLoss {
 public:
  BoundSoftRank(const Dataset& data, const SoftRankOptions& options)
      : data_(data),
        spread_(std::numbers::sqrt2 * options.sigma),
        k_(static_cast<std::size_t>(options.k)),
        gains_(normalized_gains(data, Gain(options.gain), discount_, k_)) {
    std::size_t longest = 0;
    for (std::size_t q = 0; q < data.queries(); ++q)
      longest = std::max<std::size_t>(longest, data.end(q) - data.begin(q));
    if (longest > kLongSoftRankList && (k_ == 0 || k_ >= longest))
      powers_ = discount_powers(longest);
  }

  bool informative(std::size_t q) const override {
    const auto own = gains(q);
    return own.size() > 1 && std::any_of(own.begin(), own.end(), [](double g) { return g > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const double weight = data_.query_weight(q);
    const std::size_t n = scores.size();
    if (n > kLongSoftRankList && in_reach(scores))
      return weight * (k_ == 0 || k_ >= n ? long_list(q, scores, weight, out)
                                          : top_of_list(q, scores, weight, out));
    const auto gain = gains(q);
    CoinSum coin_sum(discount_, k_ > 0 ? std::min(k_, n) : n);
    std::vector<std::uint32_t> rivals(n);
    double value = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(gain[i] > 0)) continue;
      rivals.resize(n);
      std::iota(rivals.begin(), rivals.end(), 0U);
      rivals.erase(rivals.begin() + static_cast<std::ptrdiff_t>(i));
      value -= add_document(i, rivals, 0, scores, gain[i], weight, coin_sum, out);
    }
    return weight * value;
  }

 private:
  // The contribution of document i: its gain times its expected discount, against the rivals, after
  // `certain` others.
  double add_document(std::size_t i, std::span<const std::uint32_t> rivals, std::size_t certain,
                      std::span<const double> scores, double gain, double weight, CoinSum& coin_sum,
                      Derivatives out) const {
    std::vector<double> coins(rivals.size()), slopes(rivals.size());
    for (std::size_t t = 0; t < rivals.size(); ++t)
      coins[t] =
          0.5 * math::erfc((scores[i] - scores[rivals[t]]) / (std::numbers::sqrt2 * spread_));
    const double discount = coin_sum.expect(certain, coins, slopes, out.stop);
    for (std::size_t t = 0; t < rivals.size(); ++t) {
      const std::size_t j = rivals[t];
      const double x = (scores[j] - scores[i]) / spread_;
      const double slope = -weight * gain * slopes[t] * math::exp(-0.5 * x * x) *
                           std::numbers::inv_sqrtpi / std::numbers::sqrt2 / spread_;
      out.first[j] += slope;
      out.first[i] -= slope;
      if (out.second.empty()) continue;
      out.second[j] += slope / spread_;
      out.second[i] += slope / spread_;
    }
    return gain * discount;
  }

  bool in_reach(std::span<const double> scores) const {
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    return *high - *low <= kMostSpreads * spread_;
  }
  std::vector<double> in_spreads(std::span<const double> scores) const {
    std::vector<double> scaled;
    for (const double score : scores) scaled.push_back(score / spread_);
    return scaled;
  }

  double long_list(std::size_t q, std::span<const double> scores, double weight,
                   Derivatives out) const {
    const SoftGain gain = expected_gain(in_spreads(scores), gains(q), powers_, out.stop);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      out.first[i] = weight * (gain.others[i] - gain.own[i]) / spread_;
      if (!out.second.empty())
        out.second[i] = weight * std::max(gain.others[i] + gain.own[i], 0.0) / (spread_ * spread_);
    }
    return 1 - gain.value;
  }

  // The documents that may be among the first k; those that are certainly before or after a
  // document are not its rivals.
  double top_of_list(std::size_t q, std::span<const double> scores, double weight,
                     Derivatives out) const {
    const auto gain = gains(q);
    const std::vector<double> scaled = in_spreads(scores);
    std::vector<double> chance;
    for (const double rank : expected_ranks(scaled, out.stop))
      chance.push_back(log_chance(rank, k_));
    double best = kImpossible + kUnlikely;
    for (std::size_t i = 0; i < chance.size(); ++i)
      if (gain[i] > 0) best = std::max(best, chance[i]);
    std::vector<ScoreKey> order(scores.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = {descending_key(scaled[i]), static_cast<std::uint32_t>(i)};
    sort_keys(order);
    CoinSum coin_sum(discount_, k_);
    std::vector<std::uint32_t> rivals;
    double value = 1;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (!(gain[i] > 0) || chance[i] < best - kUnlikely) continue;
      const auto ahead = [&](double by) {
        return std::partition_point(order.begin(), order.end(), [&](const ScoreKey& key) {
          return scaled[key.place] - scaled[i] > by;
        });
      };
      const auto begin = ahead(kCertain), end = ahead(-kCertain);
      const auto certain = static_cast<std::size_t>(begin - order.begin());
      if (certain >= k_) continue;
      rivals.clear();
      for (auto at = begin; at != end; ++at)
        if (at->place != i) rivals.push_back(at->place);
      value -= add_document(i, rivals, certain, scores, gain[i], weight, coin_sum, out);
    }
    return value;
  }

  std::span<const double> gains(std::size_t q) const {
    return std::span(gains_).subspan(data_.begin(q), data_.end(q) - data_.begin(q));
  }

  const Dataset& data_;
  Discount discount_{RankDiscount::log2};
  double spread_;  // of a difference of two scores
  std::size_t k_;
  std::vector<double> gains_;
  DiscountPowers powers_;  // of the longest list, if one is long
};

class SoftRank final : public Loss {
 public:
  SoftRank(std::string name, SoftRankOptions options)
      : name_(std::move(name)), options_(std::move(options)) {
    Gain{options_.gain};  // throws if it is not valid
  }
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::not_convex, LossTraits::Weights::smooth,
            LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override { return Gain(options_.gain).label_use(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundSoftRank>(data, options_);
  }

 private:
  std::string name_;
  SoftRankOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> softrank_loss(const SoftRankOptions& options) {
  return make_typed<SoftRank>("softrank", softrank_table(), options);
}

const Entry<Loss> kSoftRank = {
    "softrank", "one minus the expected nDCG under Gaussian scores (SoftRank)", "Taylor08",
    []() -> const std::vector<Field>& { return softrank_table().fields(); },
    [](const Settings& settings) { return softrank_loss(softrank_table().read(settings)); }};

}  // namespace podium
