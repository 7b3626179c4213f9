#include "losses/listwise/long_soft_rank.h"

#include <cmath>
#include <numbers>

#include "core/math_functions.h"
#include "solvers/difference_sums.h"

namespace podium {
namespace {

using At = DifferenceSums::At;

constexpr double kSoftRankBox = 1;
constexpr double kSoftRankReach =
    12;  // Φ(−12) is below rounding even compared with the smallest power

double normal(double x) {
  return 0.5 * math::erfc(-x / std::numbers::sqrt2);
}
double density(double x) {
  return math::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

// The coins at the nodes of all boxes: their probabilities and complements.
struct Coins {
  explicit Coins(const std::vector<double>& differences) {
    for (const double x : differences) {
      heads.push_back(normal(x));
      tails.push_back(normal(-x));
      slope.push_back(density(x));
    }
  }
  std::vector<double> heads, tails, slope;
};

// ln(1 − (1 − z) p) and its slope, for a coin p with its complement 1 − p.
struct LogFactor {
  double z;
  double value(double heads, double tails) const { return math::log(z * heads + tails); }
  double slope(double heads, double tails, double by_score) const {
    return -(1 - z) * by_score / (z * heads + tails);
  }
};

class SoftGainSums {
 public:
  SoftGainSums(std::span<const double> scores, std::span<const double> gains, StopCheck stop)
      : gains_(gains),
        sums_(scores, kSoftRankBox, stop),
        coins_(sums_.differences(kSoftRankReach)),
        ones_(scores.size(), 1.0),
        all_(sums_.gather(everything(), ones_)),
        charges_(scores.size()),
        gain_{0, std::vector<double>(scores.size()), std::vector<double>(scores.size())} {
    value_ = slope_ = sums_.tabulate({kSoftRankReach}, [](double) { return 0.0; });
  }

  void add(const DiscountPowers::Term& term) {
    const LogFactor factor{math::exp(-term.rate)};
    for (std::size_t k = 0; k < coins_.heads.size(); ++k) {
      value_.values[k] = factor.value(coins_.heads[k], coins_.tails[k]);
      slope_.values[k] = factor.slope(coins_.heads[k], coins_.tails[k], coins_.slope[k]);
    }
    value_.far.above = -term.rate;
    const double own_value = factor.value(0.5, 0.5), own_slope = factor.slope(0.5, 0.5, density(0));
    const auto logarithms = sums_.sum(value_, all_, At::second);
    const auto slopes = sums_.sum(slope_, all_, At::second);
    for (std::size_t i = 0; i < charges_.size(); ++i) {
      charges_[i] = 0;
      if (!(gains_[i] > 0)) continue;
      charges_[i] = gains_[i] * term.weight * math::exp(sums_.read(logarithms, i) - own_value);
      gain_.value += charges_[i];
      gain_.own[i] -= charges_[i] * (sums_.read(slopes, i) - own_slope);
    }
    add_to_others(own_slope);
  }

  // linear · r: from the mean of the rank.
  void add_linear(double linear) {
    for (std::size_t k = 0; k < coins_.heads.size(); ++k) {
      value_.values[k] = coins_.heads[k];
      slope_.values[k] = coins_.slope[k];
    }
    value_.far.above = 1;
    const auto ranks = sums_.sum(value_, all_, At::second);
    const auto slopes = sums_.sum(slope_, all_, At::second);
    for (std::size_t i = 0; i < charges_.size(); ++i) {
      charges_[i] = linear * gains_[i];
      gain_.value += charges_[i] * (sums_.read(ranks, i) - 0.5);
      gain_.own[i] -= charges_[i] * (sums_.read(slopes, i) - density(0));
    }
    add_to_others(density(0));
  }
  void add_constant(double constant) {
    for (const double gain : gains_) gain_.value += constant * gain;
  }

  SoftGain result() && { return std::move(gain_); }

 private:
  DifferenceSums::Range everything() const { return {0, gains_.size()}; }

  // Adds the slopes of the discounts of all charges by the scores of the other documents.
  void add_to_others(double own_slope) {
    const auto slopes = sums_.sum(slope_, sums_.gather(everything(), charges_), At::first);
    for (std::size_t j = 0; j < charges_.size(); ++j)
      gain_.others[j] -= sums_.read(slopes, j) - charges_[j] * own_slope;
  }

  std::span<const double> gains_;
  DifferenceSums sums_;
  Coins coins_;
  std::vector<double> ones_;
  DifferenceSums::Nodes all_;
  std::vector<double> charges_;  // of the documents whose discounts are differentiated
  DifferenceSums::Table value_, slope_;
  SoftGain gain_;
};

}  // namespace

std::vector<double> expected_ranks(std::span<const double> scores, StopCheck stop) {
  const DifferenceSums sums(scores, kSoftRankBox, stop);
  const std::vector<double> ones(scores.size(), 1.0);
  const auto above = sums.sum(sums.tabulate({kSoftRankReach, 1}, normal),
                              sums.gather({0, scores.size()}, ones), At::second);
  std::vector<double> ranks;
  for (std::size_t i = 0; i < scores.size(); ++i) ranks.push_back(sums.read(above, i) - 0.5);
  return ranks;
}

SoftGain expected_gain(std::span<const double> scores, std::span<const double> gains,
                       const DiscountPowers& powers, StopCheck stop) {
  SoftGainSums sums(scores, gains, stop);
  sums.add_constant(powers.constant);
  sums.add_linear(powers.linear);
  for (const DiscountPowers::Term& term : powers.terms) sums.add(term);
  return std::move(sums).result();
}

}  // namespace podium
