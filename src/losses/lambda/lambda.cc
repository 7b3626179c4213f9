// λ-rules [Burges06]: with the documents in the order of their scores,
//   L = Σ_{y_i > y_j} w_ij log(1 + e^{−σ(s_i − s_j)}),  w_ij held fixed in its derivatives,
// over the pairs with at least one document among the first `truncation` ranks (30, as in LightGBM:
// deeper pairs contribute little to measures of the top, and cost most of the time). w_ij is |ΔM|
// of swapping the two, or LambdaLoss's weight [Wang18]. These derivatives are not the gradient of
// any cost: the value is computed with the current weights.
//
// [Burges06] has neither truncation nor scaling: truncation=0, norm=none, as in `lambdarank`.
// norm=query scales a query's sum by log2(1 + S)/S, S the sum of the pairs' gradients on both of
// their documents: queries with much to gain count more, but not in proportion. norm=lightgbm also
// divides each w_ij by 0.01 + |s_i − s_j| (unless all scores are equal), as LightGBM does, so that
// pairs with similar scores count most.
//
// Equal scores are ranked by seeded_ranking.h, so neither file order nor grade decides their order.
#include "losses/lambda/lambda.h"

#include <algorithm>
#include <cmath>

#include "core/math_functions.h"
#include "losses/device/device_lambda.h"
#include "losses/lambda/seeded_ranking.h"
#include "losses/pairwise/pairwise.h"
#include "losses/pairwise/preferences.h"

namespace podium {
namespace {

constexpr double kNearest = 0.01;

// The pairs of each of the first ranks with the ranks after it.
class RankedRows {
 public:
  RankedRows(const RankedWeights& ranked, std::size_t pivots,
             std::span<const float> document_weights, PairArrays& arrays, StopCheck stop)
      : ranked_(ranked),
        pivots_(std::min(pivots, arrays.documents() - 1)),
        document_weights_(document_weights),
        arrays_(arrays),
        stop_(stop) {}

  std::size_t pivots() const noexcept { return pivots_; }
  void row(std::size_t pivot, PairRow& row) {
    row.begin = block_begin(pivot + 1);
    double* const weight = arrays_.weight().data();
    ranked_.row(pivot, row.begin, row.end, weight, stop_);
    std::fill(weight + row.begin, weight + pivot + 1, 0.0);
    std::fill(weight + arrays_.documents(), weight + row.end, 0.0);
    row.weight = weight;
    if (document_weights_.empty()) return;
    const double own = document_weights_[arrays_.document(pivot)];
    for (std::size_t j = pivot + 1; j < arrays_.documents(); ++j)
      weight[j] *= own * document_weights_[arrays_.document(j)];
  }

 private:
  const RankedWeights& ranked_;
  std::size_t pivots_;
  std::span<const float> document_weights_;
  PairArrays& arrays_;
  StopCheck stop_;
};

class BoundLambda final : public BoundLoss {
 public:
  BoundLambda(const Dataset& data, const LambdaOptions& options,
              std::shared_ptr<const RankWeights> weights)
      : data_(data),
        sigma_(options.sigma),
        weights_(std::move(weights)),
        pivots_(options.truncation > 0
                    ? std::min(weights_->depth(), static_cast<std::size_t>(options.truncation))
                    : weights_->depth()),
        norm_(options.norm),
        ranking_(data, static_cast<std::uint64_t>(options.seed)) {
    std::vector<float> ideal;
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto labels = data.labels(q);
      ideal.assign(labels.begin(), labels.end());
      std::sort(ideal.begin(), ideal.end(), std::greater<>());
      const bool differ = !ideal.empty() && ideal.front() != ideal.back();
      factor_.push_back(differ ? weights_->factor(ideal).value_or(kNoInformation) : kNoInformation);
    }
  }

  bool informative(std::size_t q) const override { return factor_[q] != kNoInformation; }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    return sum(q, scores, Wanted::all, out);
  }
  void differentiate(std::size_t q, std::span<const double> scores,
                     Derivatives out) const override {
    sum(q, scores, Wanted::derivatives, out);
  }
  std::unique_ptr<DeviceLoss> on_device(const DeviceLossSite& site) const override {
    return device_lambda({.data = data_,
                          .weights = *weights_,
                          .factor = factor_,
                          .uninformative = kNoInformation,
                          .by_hash = ranking_.by_hash(),
                          .scaling = norm_ == LambdaNorm::none    ? LambdaScaling::none
                                     : norm_ == LambdaNorm::query ? LambdaScaling::query
                                                                  : LambdaScaling::near,
                          .sigma = sigma_,
                          .nearest = kNearest * sigma_,
                          .largest_range = 2 * kLargestExponent,
                          .pivots = pivots_},
                         site);
  }

 private:
  static constexpr double kNoInformation = -1;
  enum class Wanted { all, derivatives };

  double sum(std::size_t q, std::span<const double> scores, Wanted wanted, Derivatives out) const {
    if (!informative(q)) {
      std::fill(out.first.begin(), out.first.end(), 0.0);
      std::fill(out.second.begin(), out.second.end(), 0.0);
      return 0;
    }
    const auto labels = data_.labels(q);
    const auto order = ranking_.rank(q, scores);
    std::vector<float> by_rank;
    by_rank.reserve(order.size());
    for (const std::uint32_t i : order) by_rank.push_back(labels[i]);
    const auto ranked = weights_->rank(by_rank, factor_[q]);
    PairArrays arrays(order, labels, scores, sigma_);
    RankedRows rows(*ranked, pivots_, data_.document_weights(q), arrays, out.stop);
    const bool near =
        norm_ == LambdaNorm::lightgbm && scores[order.front()] != scores[order.back()];
    const RowSums sums =
        sum_pairs(near ? near_logistic(wanted) : logistic(wanted), rows, arrays, out.stop);
    // 1/(nearest + |s_i − s_j|) is σ/(σ nearest + |x|).
    const double near_scale = near ? sigma_ : 1;
    const double force = 2 * near_scale * sigma_ * sums.force;
    const double scale =
        data_.query_weight(q) * near_scale *
        (norm_ != LambdaNorm::none && force > 0 ? math::log2(1 + force) / force : 1);
    arrays.scatter(scale, out);
    return scale * sums.value;
  }

  static PairFunction logistic(Wanted wanted) {
    const PairKernels& kernels = pair_kernels();
    return {kernels.logistic,
            {},
            wanted == Wanted::all ? kernels.logistic_from_powers : kernels.logistic_slopes};
  }
  PairFunction near_logistic(Wanted wanted) const {
    const PairKernels& kernels = pair_kernels();
    return {
        kernels.near_logistic,
        {.nearest = kNearest * sigma_},
        wanted == Wanted::all ? kernels.near_logistic_from_powers : kernels.near_logistic_slopes};
  }

  const Dataset& data_;
  double sigma_;
  std::shared_ptr<const RankWeights> weights_;
  std::size_t pivots_;
  LambdaNorm norm_;
  SeededRanking ranking_;
  std::vector<double> factor_;  // of each query's weights, or kNoInformation
};

class Lambda final : public Loss {
 public:
  Lambda(std::string name, LambdaOptions options, std::shared_ptr<const RankWeights> weights,
         LabelUse labels)
      : name_(std::move(name)), options_(options), weights_(std::move(weights)), labels_(labels) {}

  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::not_convex, LossTraits::Weights::frozen,
            LossTraits::Shift::invariant};
  }
  LabelUse label_use() const override { return labels_; }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundLambda>(data, options_, weights_);
  }
  // Preferences have no measure that a swap would change: their weights are the given ones.
  std::unique_ptr<const Loss> over_preferences() const override {
    return preference_loss({.function = "logistic-pairs",
                            .kernel = pair_kernels().logistic,
                            .sigma = options_.sigma,
                            .scale = PairScale::sum});
  }

 private:
  std::string name_;
  LambdaOptions options_;
  std::shared_ptr<const RankWeights> weights_;
  LabelUse labels_;
};

}  // namespace

const OptionTable<LambdaOptions>& LambdaOptions::table() {
  static const auto options =
      OptionTable<LambdaOptions>()
          .add("sigma", &LambdaOptions::sigma, "steepness: scores are multiplied by sigma",
               above(0))
          .add("truncation", &LambdaOptions::truncation,
               "use only pairs with at least one document in this many top ranks; 0: all pairs",
               at_least(0))
          .add("norm", &LambdaOptions::norm,
               "none; query: rescales each query's gradients so that their sum S becomes log2(1 + "
               "S); lightgbm: as query, and divides each pair's weight by 0.01 + |Δscore|",
               lambda_norms())
          .add("seed", &LambdaOptions::seed, "seed for the order of documents with equal scores",
               at_least(0));
  return options;
}

std::unique_ptr<const Loss> lambda_loss(std::string name, const LambdaOptions& options,
                                        std::shared_ptr<const RankWeights> weights,
                                        const LabelUse& labels) {
  return std::make_unique<Lambda>(std::move(name), options, std::move(weights), labels);
}

}  // namespace podium
