// |ΔM| for M = Σ over the first k ranks of gain(label) · discount(rank), times a factor: swapping
// ranks i and j changes it by |g_i − g_j| · |d_i − d_j| · factor. nDCG, DCG, P, R and RelP have
// this form.
#include <algorithm>
#include <array>
#include <vector>

#include "measures/labels.h"
#include "measures/swap_kernels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

constexpr std::size_t whole_blocks(std::size_t n) {
  return (n + kWeightBlock - 1) / kWeightBlock * kWeightBlock;
}

class RankedAdditive final : public RankedWeights {
 public:
  explicit RankedAdditive(std::size_t n) : gain(whole_blocks(n)), discount(whole_blocks(n)) {}
  void row(std::size_t pivot, std::size_t begin, std::size_t end, double* weight,
           StopCheck) const override {
    additive_swap_row(gain.data(), discount.data(), pivot, begin, end, weight);
  }
  std::vector<double> gain, discount;
};

// DCG; for nDCG, divided by the DCG of the ideal order.
class CumulativeGain {
 public:
  enum class Ideal { divides, ignored };
  CumulativeGain(const Gain& gain, const Discount& discount, std::size_t ranks, Ideal ideal,
                 std::size_t min_documents)
      : depth(ranks),
        gain_(gain),
        discount_(discount),
        ideal_(ideal),
        min_documents_(min_documents) {}

  std::optional<double> factor(std::span<const float> ideal) const {
    if (ideal_ == Ideal::ignored) return 1;
    const QueryGain gain(gain_, ideal);
    double sum = 0;
    for (std::size_t r = 0; r < std::min(depth, ideal.size()); ++r)
      sum += gain(ideal[r]) * discount_(r);
    if (!(sum > 0)) return std::nullopt;
    return ideal.size() < min_documents_ ? 0 : 1 / sum;
  }
  // Scaled as in factor(): by the highest label.
  double gain(float label, float top) const {
    return gain_(label, ideal_ == Ideal::divides ? gain_.shift_for(top) : 0);
  }
  double discount(std::size_t rank) const { return discount_(rank); }

  std::size_t depth;

 private:
  Gain gain_;
  Discount discount_;
  Ideal ideal_;
  std::size_t min_documents_;
};

// The relevant documents among the first k, divided by k, by all relevant ones or by the smaller of
// both.
class RelevantShare {
 public:
  RelevantShare(double from, std::size_t ranks, ShareOf of) : depth(ranks), from_(from), of_(of) {}

  std::optional<double> factor(std::span<const float> ideal) const {
    const std::size_t relevant = count_relevant(ideal, from_);
    const std::size_t divisor = of_ == ShareOf::relevant  ? relevant
                                : of_ == ShareOf::smaller ? std::min(depth, relevant)
                                : depth == Measure::kWholeList
                                    ? std::max<std::size_t>(1, ideal.size())
                                    : depth;
    if (divisor == 0) return std::nullopt;
    return 1 / static_cast<double>(divisor);
  }
  double gain(float label, float) const { return is_relevant(label, from_) ? 1 : 0; }
  double discount(std::size_t) const { return 1; }

  std::size_t depth;

 private:
  double from_;
  ShareOf of_;
};

template <class Form>
class AdditiveWeights final : public RankWeights {
 public:
  explicit AdditiveWeights(const Form& form) : form_(form) {
    for (std::size_t g = 0; g < gains_.size(); ++g)
      gains_[g] = form_.gain(static_cast<float>(g), static_cast<float>(g));
  }

  std::optional<double> factor(std::span<const float> ideal) const override {
    return form_.factor(ideal);
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    auto ranked = std::make_unique<RankedAdditive>(by_rank.size());
    gains(by_rank, factor, ranked->gain);
    for (std::size_t r = 0; r < std::min(by_rank.size(), form_.depth); ++r)
      ranked->discount[r] = form_.discount(r);
    return ranked;
  }
  std::size_t depth() const override { return form_.depth; }

  std::optional<WeightForm> form(std::size_t longest) const override {
    WeightForm form{WeightForm::Kind::product, std::vector<double>(longest)};
    for (std::size_t r = 0; r < std::min(longest, form_.depth); ++r)
      form.of_rank[r] = form_.discount(r);
    return form;
  }
  std::vector<double> terms(std::span<const float> labels, double factor) const override {
    std::vector<double> gain(labels.size());
    gains(labels, factor, gain);
    return gain;
  }

 private:
  static constexpr float kTop = 31;

  void gains(std::span<const float> labels, double factor, std::vector<double>& gain) const {
    if (look_up(labels, factor, gain)) return;
    const float top = *std::max_element(labels.begin(), labels.end());
    for (std::size_t i = 0; i < labels.size(); ++i) gain[i] = factor * form_.gain(labels[i], top);
  }

  // False if some label is not a grade of the table.
  bool look_up(std::span<const float> by_rank, double factor, std::vector<double>& gain) const {
    bool tabled = true;
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
      const float label = by_rank[r];
      const auto whole = static_cast<std::int32_t>(label >= 0 && label <= kTop ? label : 0.0F);
      tabled &= static_cast<float>(whole) == label;
      gain[r] = factor * gains_[static_cast<std::size_t>(whole)];
    }
    return tabled;
  }

  Form form_;
  std::array<double, 32> gains_;  // of the grades 0 … kTop, if no higher grade scales them
};

using GainWeights = AdditiveWeights<CumulativeGain>;
using ShareWeights = AdditiveWeights<RelevantShare>;

}  // namespace

std::shared_ptr<const RankWeights> ndcg_swap_weights(const Gain& gain, const Discount& discount,
                                                     std::size_t depth, std::size_t min_documents) {
  return std::make_shared<GainWeights>(
      CumulativeGain(gain, discount, depth, CumulativeGain::Ideal::divides, min_documents));
}
std::shared_ptr<const RankWeights> dcg_swap_weights(const Gain& gain, const Discount& discount,
                                                    std::size_t depth) {
  return std::make_shared<GainWeights>(
      CumulativeGain(gain, discount, depth, CumulativeGain::Ideal::ignored, 0));
}
std::shared_ptr<const RankWeights> share_swap_weights(double from, std::size_t depth, ShareOf of) {
  return std::make_shared<ShareWeights>(RelevantShare(from, depth, of));
}

}  // namespace podium
