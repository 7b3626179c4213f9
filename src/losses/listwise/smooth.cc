// SmoothRank [Chapelle10]: one minus a measure in which the document at rank r is replaced by a
// soft choice of documents, those whose scores are near the r-th best score t_r:
//
//   h_ir = softmax over i of −(s_i − t_r)²/σ,   E_r = Σ_i value_i h_ir
//
//   measure=ndcg  Σ_r E_r D(r) with values gain/ideal DCG@k, to rank k
//   measure=ap    (1/n⁺) Σ_r E_r (1 + Σ_{r'<r} E_{r'}) / (r + 1) with values 1 for good documents
//
// σ → 0 gives the measure; a large σ is smooth and nearly linear. Annealing starts with a large σ
// and warm-starts each smaller one. t_r is a sorted score, so the loss is continuous, and
// differentiable if no two scores are equal; the derivatives include those of t_r. Not convex; the
// second derivatives are replaced by the sums of the terms' magnitudes times 2/σ. O(n · ranks), or
// O(n · distinct values) for many ranks of a long list, see long_smooth.h. Queries without a good
// document do not contribute; documents' weights are not used.
#include "losses/listwise/smooth.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "core/sort_scores.h"
#include "losses/catalog.h"
#include "losses/listwise/long_smooth.h"
#include "losses/listwise/normalized_gains.h"
#include "losses/relevance_split.h"
#include "losses/typed_loss.h"
#include "podium/error.h"

namespace podium {
namespace {

const OptionTable<SmoothOptions>& smooth_table() {
  static const auto options =
      OptionTable<SmoothOptions>()
          .add("measure", &SmoothOptions::measure, "ndcg or ap", smoothed_measures())
          .add("sigma", &SmoothOptions::sigma,
               "smoothing: squared score difference that counts as large", above(0))
          .add("gain", &SmoothOptions::gain, kGainHelp)
          .add("relevant-from", &SmoothOptions::relevant_from, kRelevantFromHelp)
          .add("k", &SmoothOptions::k, "cut-off of nDCG; 0: none", at_least(0));
  return options;
}

std::vector<double> good_shares(const Dataset& data, double relevant_from) {
  std::vector<double> shares;
  shares.reserve(data.documents());
  for (const float y : data.labels()) shares.push_back(y >= relevant_from ? 1 : 0);
  return shares;
}

class BoundSmooth final : public BoundLoss {
 public:
  BoundSmooth(const Dataset& data, const SmoothOptions& options)
      : data_(data),
        average_precision_(options.measure == SmoothedMeasure::ap),
        sigma_(options.sigma),
        k_(average_precision_ ? 0 : static_cast<std::size_t>(options.k)),
        values_(average_precision_ ? good_shares(data, options.relevant_from)
                                   : normalized_gains(data, Gain(options.gain), discount_, k_)) {}

  bool informative(std::size_t q) const override {
    const auto own = values(q);
    return own.size() > 1 && std::any_of(own.begin(), own.end(), [](double v) { return v > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const auto value = values(q);
    std::vector<ScoreKey> order(scores.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = {descending_key(scores[i]), static_cast<std::uint32_t>(i)};
    sort_keys(order);
    if (k_ > 0 && k_ < order.size()) order.resize(k_);
    const double weight = data_.query_weight(q);
    if (LongSmooth::applies(scores, value, sigma_, order.size()))
      return weight * (1 - long_list(scores, value, order, weight, out));
    std::vector<double> expected, share(scores.size());
    for (const ScoreKey& at : order) {
      out.stop();
      expected.push_back(choose(scores, value, at.place, share));
    }
    std::vector<double> slopes(order.size());
    const double measure = smoothed(value, expected, slopes);
    for (std::size_t r = 0; r < order.size(); ++r) {
      out.stop();
      choose(scores, value, order[r].place, share);
      add_rank(scores, value, order[r].place, share, expected[r], -weight * slopes[r], out);
    }
    return weight * (1 - measure);
  }

 private:
  std::span<const double> values(std::size_t q) const {
    return std::span(values_).subspan(data_.begin(q), data_.end(q) - data_.begin(q));
  }

  // The soft choice around the score of document `at`; returns its expected value.
  double choose(std::span<const double> scores, std::span<const double> value, std::size_t at,
                std::span<double> share) const {
    double total = 0, sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double apart = scores[i] - scores[at];
      share[i] = math::exp(-apart * apart / sigma_);
      total += share[i];
      sum += share[i] * value[i];
    }
    for (double& h : share) h /= total;
    return sum / total;
  }

  double long_list(std::span<const double> scores, std::span<const double> value,
                   const std::vector<ScoreKey>& order, double weight, Derivatives out) const {
    const LongSmooth soft(scores, value, sigma_, out.stop);
    std::vector<double> expected, slopes(order.size()), by_document(scores.size());
    for (const ScoreKey& at : order) expected.push_back(soft.expected(at.place));
    const double measure = smoothed(value, expected, slopes);
    for (std::size_t r = 0; r < order.size(); ++r)
      by_document[order[r].place] = -weight * slopes[r];
    soft.differentiate(by_document, out);
    return measure;
  }

  // The measure of the expected values at the ranks, and its slope by each.
  double smoothed(std::span<const double> value, std::span<const double> expected,
                  std::span<double> slopes) const {
    return average_precision_ ? average_precision(value, expected, slopes)
                              : discounted(expected, slopes);
  }

  double discounted(std::span<const double> expected, std::span<double> slopes) const {
    double sum = 0;
    for (std::size_t r = 0; r < expected.size(); ++r) {
      slopes[r] = discount_(r);
      sum += slopes[r] * expected[r];
    }
    return sum;
  }

  static double average_precision(std::span<const double> value, std::span<const double> expected,
                                  std::span<double> slopes) {
    double goods = 0, before = 0, sum = 0, after = 0;
    for (const double v : value) goods += v;
    for (std::size_t r = 0; r < expected.size(); ++r) {
      slopes[r] = (1 + before) / (static_cast<double>(r + 1) * goods);
      sum += slopes[r] * expected[r];
      before += expected[r];
    }
    for (std::size_t r = expected.size(); r-- > 0;) {
      slopes[r] += after;
      after += expected[r] / (static_cast<double>(r + 1) * goods);
    }
    return sum;
  }

  void add_rank(std::span<const double> scores, std::span<const double> value, std::size_t at,
                std::span<const double> share, double expected, double slope,
                Derivatives out) const {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double by_exponent = slope * share[i] * (value[i] - expected);
      const double by_score = by_exponent * -2 * (scores[i] - scores[at]) / sigma_;
      out.first[i] += by_score;
      out.first[at] -= by_score;
      if (out.second.empty()) continue;
      out.second[i] += 2 / sigma_ * std::abs(by_exponent);
      out.second[at] += 2 / sigma_ * std::abs(by_exponent);
    }
  }

  const Dataset& data_;
  Discount discount_{RankDiscount::log2};
  bool average_precision_;
  double sigma_;
  std::size_t k_;
  std::vector<double> values_;
};

class Smooth final : public Loss {
 public:
  Smooth(std::string name, SmoothOptions options)
      : name_(std::move(name)), options_(std::move(options)) {
    Gain{options_.gain};  // throws if it is not valid
    if (options_.measure == SmoothedMeasure::ap && options_.k > 0)
      throw Error(ErrorCode::usage, "loss 'smooth': measure=ap has no cut-off");
  }
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::not_convex, LossTraits::Weights::smooth,
            LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override {
    if (options_.measure == SmoothedMeasure::ap) return {};
    return Gain(options_.gain).label_use();
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundSmooth>(data, options_);
  }

 private:
  std::string name_;
  SmoothOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> smooth_loss(const SmoothOptions& options) {
  return make_typed<Smooth>("smooth", smooth_table(), options);
}

const Entry<Loss> kSmooth = {
    "smooth", "one minus nDCG or AP with soft ranks (SmoothRank)", "Chapelle10",
    []() -> const std::vector<Field>& { return smooth_table().fields(); },
    [](const Settings& settings) { return smooth_loss(smooth_table().read(settings)); }};

}  // namespace podium
