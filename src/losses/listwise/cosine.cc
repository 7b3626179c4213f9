// RankCosine [Qin08]: L = ½ v_q (1 − ⟨s, y⟩ / (‖s‖ c)), y the targets of the grades, with
//
//   norm=length     c = ‖y‖: the paper's, half of one minus the cosine
//   norm=ideal-dcg  c = the largest DCG that y allows, which makes the loss consistent for nDCG
//                   [Ravikumar11]
//
// Differs from the papers: ‖s‖ is √(1 + Σ s²), because models start with all scores 0, where the
// cosine has no gradient. Products and sums over documents are weighted. The loss is not convex;
// the second derivatives are a bound on the diagonal of the Hessian, 2 w/‖s‖² times ‖y‖/c. A query
// whose targets are all 0 does not contribute. O(n).
#include "losses/listwise/cosine.h"

#include <algorithm>
#include <cmath>

#include "losses/catalog.h"
#include "losses/targets.h"
#include "losses/typed_loss.h"
#include "measures/gain.h"

namespace podium {
namespace {

const OptionTable<CosineOptions>& cosine_table() {
  static const auto options = OptionTable<CosineOptions>()
                                  .add("norm", &CosineOptions::norm,
                                       "divisor of the targets: length, their norm (RankCosine), "
                                       "or ideal-dcg (the consistent form)",
                                       target_norms())
                                  .add("targets", &CosineOptions::targets, kTargetsHelp);
  return options;
}

double ideal_dcg(std::vector<double> targets) {
  const Discount discount(RankDiscount::log2);
  std::sort(targets.rbegin(), targets.rend());
  double sum = 0;
  for (std::size_t r = 0; r < targets.size(); ++r) sum += targets[r] * discount(r);
  return sum;
}

class BoundCosine final : public BoundLoss {
 public:
  BoundCosine(const Dataset& data, const CosineOptions& options) : data_(data) {
    const Targets target_of(options.targets);
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto weights = data.document_weights(q);
      std::vector<double> own;
      for (const float y : data.labels(q)) own.push_back(target_of(y));
      double squares = 0;
      for (std::size_t i = 0; i < own.size(); ++i)
        squares += (weights.empty() ? 1.0 : weights[i]) * own[i] * own[i];
      length_.push_back(std::sqrt(squares));
      norm_.push_back(options.norm == TargetNorm::length ? length_.back()
                                                         : std::max(0.0, ideal_dcg(own)));
      targets_.insert(targets_.end(), own.begin(), own.end());
    }
  }

  bool informative(std::size_t q) const override {
    return norm_[q] > 0 && data_.end(q) - data_.begin(q) > 1;
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    if (!informative(q)) return 0;
    const auto weights = data_.document_weights(q);
    const auto targets = std::span(targets_).subspan(data_.begin(q), scores.size());
    double squares = 1, product = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double w = weights.empty() ? 1.0 : weights[i];
      squares += w * scores[i] * scores[i];
      product += w * scores[i] * targets[i];
    }
    const double length = std::sqrt(squares), scale = 0.5 * data_.query_weight(q) / norm_[q];
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double w = scale * (weights.empty() ? 1.0 : weights[i]);
      out.first[i] = w * (product / squares * scores[i] - targets[i]) / length;
      if (!out.second.empty()) out.second[i] = 4 * w * length_[q] / squares;
    }
    return scale * (norm_[q] - product / length);
  }

 private:
  const Dataset& data_;
  std::vector<double> targets_;        // one per document
  std::vector<double> length_, norm_;  // ‖y‖ and c, one per query
};

class Cosine final : public Loss {
 public:
  Cosine(std::string name, CosineOptions options)
      : name_(std::move(name)), options_(std::move(options)) {
    Targets{options_.targets};  // throws if it is not valid
  }
  std::string name() const override { return name_; }
  LossTraits traits() const noexcept override {
    return {LossTraits::Shape::not_convex, LossTraits::Weights::smooth,
            LossTraits::Shift::sensitive};
  }
  LabelUse label_use() const override { return Targets(options_.targets).label_use(); }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundCosine>(data, options_);
  }

 private:
  std::string name_;
  CosineOptions options_;
};

}  // namespace

std::unique_ptr<const Loss> cosine_loss(const CosineOptions& options) {
  return make_typed<Cosine>("cosine", cosine_table(), options);
}

const Entry<Loss> kCosine = {
    "cosine", "half of one minus the cosine of scores and targets (RankCosine)", "Qin08",
    []() -> const std::vector<Field>& { return cosine_table().fields(); },
    [](const Settings& settings) { return cosine_loss(cosine_table().read(settings)); }};

}  // namespace podium
