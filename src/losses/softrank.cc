// SoftRank [Taylor08]: one minus the expected nDCG@k when every score is a Gaussian with mean s_i
// and deviation σ. Document j then beats i with probability p_ji = Φ((s_j − s_i)/(√2 σ)); taking
// these for independent, as the paper does, the rank of i is a sum of coins, whose distribution is
// built one coin at a time:
//
//   F_{t+1}(r) = (1 − p_t) F_t(r) + p_t F_t(r − 1)
//
// and the derivative by p_t is Σ_r F_t(r) (B_{t+1}(r + 1) − B_{t+1}(r)), with B the expected
// discount from there on: nothing is divided, so it is stable for any scores. The paper's own
// recursion for derivatives costs a factor n more. O(n · k · documents with gain) time, O(n k)
// memory, k = n when there is no cut-off. Not convex; as second derivatives go the sums of the
// terms' sizes over √2 σ. Documents' weights play no part.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math_functions.h"
#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/normalized_gains.h"

namespace podium {
namespace {

struct SoftRankOptions {
  double sigma = 0.5;
  std::string gain = "exp2";
  std::int64_t k = 0;
};

const OptionTable<SoftRankOptions>& table() {
  static const auto options =
      OptionTable<SoftRankOptions>()
          .add("sigma", &SoftRankOptions::sigma, "deviation of the scores", above(0))
          .add("gain", &SoftRankOptions::gain, kGainHelp)
          .add("k", &SoftRankOptions::k, "cut-off of nDCG; 0: none", at_least(0));
  return options;
}

// The expected discount of a document that meets these coins, and its derivative by each coin.
class CoinSum {
 public:
  CoinSum(const Discount& discount, std::size_t ranks) : ranks_(ranks), end_(ranks + 1) {
    for (std::size_t r = 0; r < ranks; ++r) end_[r] = discount(r);
  }

  double expect(std::span<const double> coins, std::span<double> slopes) {
    const std::size_t n = coins.size(), row = ranks_ + 1;  // the last column: beyond the cut-off
    later_.resize((n + 1) * row);
    std::copy(end_.begin(), end_.end(), later_.begin() + static_cast<std::ptrdiff_t>(n * row));
    for (std::size_t t = n; t-- > 0;) {
      const double* next = &later_[(t + 1) * row];
      double* here = &later_[t * row];
      for (std::size_t r = 0; r < ranks_; ++r)
        here[r] = (1 - coins[t]) * next[r] + coins[t] * next[r + 1];
      here[ranks_] = 0;
    }
    sum_.assign(row, 0.0);
    sum_[0] = 1;
    for (std::size_t t = 0; t < n; ++t) {
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
  std::size_t ranks_;
  std::vector<double> end_, later_, sum_;
};

class BoundSoftRank final : public BoundLoss {
 public:
  BoundSoftRank(const Dataset& data, const SoftRankOptions& options)
      : data_(data),
        spread_(std::numbers::sqrt2 * options.sigma),
        k_(static_cast<std::size_t>(options.k)),
        gains_(normalized_gains(data, Gain(options.gain), discount_, k_)) {}

  bool informative(std::size_t q) const override {
    const auto own = gains(q);
    return own.size() > 1 && std::any_of(own.begin(), own.end(), [](double g) { return g > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const std::size_t n = scores.size();
    const auto gain = gains(q);
    const double weight = data_.query_weight(q);
    CoinSum coin_sum(discount_, k_ > 0 ? std::min(k_, n) : n);
    std::vector<double> coins(n - 1), slopes(n - 1);
    double value = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(gain[i] > 0)) continue;
      for (std::size_t t = 0; t + 1 < n; ++t)
        coins[t] =
            0.5 * math::erfc((scores[i] - scores[t + (t >= i)]) / (std::numbers::sqrt2 * spread_));
      value -= gain[i] * coin_sum.expect(coins, slopes);
      for (std::size_t t = 0; t + 1 < n; ++t) {
        const std::size_t j = t + (t >= i);
        const double x = (scores[j] - scores[i]) / spread_;
        const double slope = -weight * gain[i] * slopes[t] * math::exp(-0.5 * x * x) *
                             std::numbers::inv_sqrtpi / std::numbers::sqrt2 / spread_;
        out.first[j] += slope;
        out.first[i] -= slope;
        if (out.second.empty()) continue;
        out.second[j] += slope / spread_;
        out.second[i] += slope / spread_;
      }
    }
    return weight * value;
  }

 private:
  std::span<const double> gains(std::size_t q) const {
    return std::span(gains_).subspan(data_.begin(q), data_.end(q) - data_.begin(q));
  }

  const Dataset& data_;
  Discount discount_{"log2"};
  double spread_;  // of a difference of two scores
  std::size_t k_;
  std::vector<double> gains_;
};

class SoftRank final : public Loss {
 public:
  SoftRank(std::string name, SoftRankOptions options)
      : name_(std::move(name)), options_(std::move(options)) {
    Gain{options_.gain};  // a bad one is an error here
  }
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::not_convex, LossTraits::Weights::smooth,
            LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundSoftRank>(data, options_);
  }

 private:
  std::string name_;
  SoftRankOptions options_;
};

}  // namespace

const Entry<Loss> kSoftRank = {
    "softrank", "one minus the expected nDCG under Gaussian scores (SoftRank)", "Taylor08",
    []() -> const std::vector<Field>& { return table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Loss> {
      return std::make_unique<SoftRank>(format_spec("softrank", table().fields(), settings),
                                        table().read(settings));
    }};

}  // namespace podium
