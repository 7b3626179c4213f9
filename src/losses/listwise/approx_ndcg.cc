// ApproxNDCG [Qin10]: one minus nDCG with smooth ranks,
//
//   r_i = 1 + Σ_{j≠i} σ((s_j − s_i)/T),   L = v_q (1 − Σ_i gain_i / log2(1 + r_i) / ideal DCG)
//
// with the logistic function σ and the temperature T; T → 0 gives nDCG. Not convex. The second
// derivatives are replaced by Σ_j (c_i + c_j) σ'_ij / T² with c = ∂L/∂r ≥ 0, the size of the
// leading terms. O(n · documents with gain) for short lists, O(n) for long ones: ranks and
// derivatives are sums of a smooth function of score differences (solvers/difference_sums.h).
// Queries without gain do not contribute; documents' weights are not used.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math_functions.h"
#include "core/spec.h"
#include "losses/catalog.h"
#include "losses/listwise/normalized_gains.h"
#include "solvers/difference_sums.h"

namespace podium {
namespace {

struct ApproxNdcgOptions {
  double temperature = 0.1;
  std::string gain = "exp2";
};

const OptionTable<ApproxNdcgOptions>& approx_ndcg_table() {
  static const auto options = OptionTable<ApproxNdcgOptions>()
                                  .add("temperature", &ApproxNdcgOptions::temperature,
                                       "score difference over which a rank changes", above(0))
                                  .add("gain", &ApproxNdcgOptions::gain, kGainHelp);
  return options;
}

constexpr std::size_t kLongList = 512;
constexpr double kBox = 2, kReach = 45, kMostBoxes = 1e9;  // in temperatures

double logistic(double x) {
  const double small = math::exp(-std::abs(x));
  return (x > 0 ? 1 : small) / (1 + small);
}
double logistic_slope(double x) {
  const double small = math::exp(-std::abs(x));
  return small / ((1 + small) * (1 + small));
}

class BoundApproxNdcg final : public BoundLoss {
 public:
  BoundApproxNdcg(const Dataset& data, const ApproxNdcgOptions& options)
      : data_(data),
        temperature_(options.temperature),
        gains_(normalized_gains(data, Gain(options.gain), Discount(RankDiscount::log2), 0)) {}

  bool informative(std::size_t q) const override {
    const auto own = gains(q);
    return own.size() > 1 && std::any_of(own.begin(), own.end(), [](double g) { return g > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const auto gain = gains(q);
    const double weight = data_.query_weight(q);
    if (scores.size() > kLongList && in_reach(scores))
      return weight * long_list(gain, scores, weight, out);
    double value = 1;
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (gain[i] > 0) value -= gain[i] * add_document(i, scores, weight * gain[i], out);
    return weight * value;
  }

 private:
  std::span<const double> gains(std::size_t q) const {
    return std::span(gains_).subspan(data_.begin(q), data_.end(q) - data_.begin(q));
  }

  // Document i's smooth discount; adds its contribution to the derivatives.
  double add_document(std::size_t i, std::span<const double> scores, double gain,
                      Derivatives out) const {
    out.stop();
    double rank = 1;
    for (std::size_t j = 0; j < scores.size(); ++j)
      if (j != i) rank += logistic((scores[j] - scores[i]) / temperature_);
    const double log_rank = math::log2(1 + rank);
    const double by_rank = fall_by_rank(gain, rank);
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (j == i) continue;
      const double small = math::exp(-std::abs(scores[j] - scores[i]) / temperature_);
      const double slope = by_rank * small / ((1 + small) * (1 + small)) / temperature_;
      out.first[j] += slope;
      out.first[i] -= slope;
      if (out.second.empty()) continue;
      out.second[j] += slope / temperature_;
      out.second[i] += slope / temperature_;
    }
    return 1 / log_rank;
  }

  // The decrease of gain · discount with the rank.
  static double fall_by_rank(double gain, double rank) {
    const double log_rank = math::log2(1 + rank);
    return gain / (log_rank * log_rank * (1 + rank) * std::numbers::ln2);
  }

  bool in_reach(std::span<const double> scores) const {
    const auto [low, high] = std::minmax_element(scores.begin(), scores.end());
    return *high - *low <= kMostBoxes * temperature_;
  }

  double long_list(std::span<const double> gain, std::span<const double> scores, double weight,
                   Derivatives out) const {
    using At = DifferenceSums::At;
    const std::size_t n = scores.size();
    std::vector<double> cool, fall(n), ones(n, 1.0);
    for (const double score : scores) cool.push_back(score / temperature_);
    const DifferenceSums sums(cool, kBox, out.stop);
    const auto slope = sums.tabulate({kReach}, logistic_slope);
    const auto all = sums.gather({0, n}, ones);
    const auto ranks = sums.sum(sums.tabulate({kReach, 1}, logistic), all, At::second);
    const auto own = sums.sum(slope, all, At::second);
    double value = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(gain[i] > 0)) continue;
      const double rank = 0.5 + sums.read(ranks, i);  // minus a half for itself
      value -= gain[i] / math::log2(1 + rank);
      fall[i] = fall_by_rank(weight * gain[i], rank);
    }
    const auto others = sums.sum(slope, sums.gather({0, n}, fall), At::first);
    for (std::size_t i = 0; i < n; ++i) {
      const double self = fall[i] * logistic_slope(0);
      const double up = sums.read(others, i) - self, down = fall[i] * sums.read(own, i) - self;
      out.first[i] = (up - down) / temperature_;
      if (!out.second.empty())
        out.second[i] = std::max(up + down, 0.0) / (temperature_ * temperature_);
    }
    return value;
  }

  const Dataset& data_;
  double temperature_;
  std::vector<double> gains_;
};

class ApproxNdcg final : public Loss {
 public:
  ApproxNdcg(std::string name, ApproxNdcgOptions options)
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
    return std::make_unique<BoundApproxNdcg>(data, options_);
  }

 private:
  std::string name_;
  ApproxNdcgOptions options_;
};

}  // namespace

const Entry<Loss> kApproxNdcg = {
    "approx-ndcg", "one minus nDCG with logistic ranks (ApproxNDCG)", "Qin10",
    []() -> const std::vector<Field>& { return approx_ndcg_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Loss> {
      return std::make_unique<ApproxNdcg>(
          format_spec("approx-ndcg", approx_ndcg_table().fields(), settings),
          approx_ndcg_table().read(settings));
    }};

}  // namespace podium
