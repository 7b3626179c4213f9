// The pair weights of LambdaLoss [Wang18], with gains divided by the ideal DCG:
//   |g_i − g_j| · (share · |d_i − d_j| + μ · |d_{m−1} − d_m|),  m = |i − j|,
// with d the discount of a rank, counted from 0 and cut off at k. NDCG-Loss2++ has share 1,
// NDCG-Loss2 has share 0 and μ = 1.
#include <algorithm>
#include <cmath>
#include <vector>

#include "losses/lambda/pair_weights.h"
#include "measures/gain.h"

namespace podium {
namespace {

class RankedDistances final : public RankedWeights {
 public:
  RankedDistances(std::size_t n, const DistanceForm& form) : discount(n), step(n) {
    const Discount full(RankDiscount::log2);
    for (std::size_t r = 0; r < std::min(n, form.depth); ++r)
      discount[r] = form.rank_share * full(r);
    for (std::size_t m = 1; m < n; ++m) step[m] = form.mu * (full(m - 1) - full(m));
  }
  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    for (std::size_t j = pivot + 1; j < gain.size(); ++j)
      weight[j] = std::abs(gain[pivot] - gain[j]) *
                  (std::abs(discount[pivot] - discount[j]) + step[j - pivot]);
  }
  std::vector<double> gain, discount;
  std::vector<double> step;  // μ · (d_{m−1} − d_m)
};

class DistanceWeights final : public RankWeights {
 public:
  DistanceWeights(std::string_view gain, const DistanceForm& form)
      : gain_(gain), discount_(RankDiscount::log2), form_(form) {}

  std::optional<double> factor(std::span<const float> ideal) const override {
    const QueryGain gain(gain_, ideal);
    double sum = 0;
    for (std::size_t r = 0; r < std::min(ideal.size(), form_.depth); ++r)
      sum += gain(ideal[r]) * discount_(r);
    return sum > 0 ? std::optional<double>(1 / sum) : std::nullopt;
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    auto ranked = std::make_unique<RankedDistances>(by_rank.size(), form_);
    ranked->gain = terms(by_rank, factor);
    return ranked;
  }
  std::size_t depth() const override { return form_.depth; }

  std::optional<WeightForm> form(std::size_t longest) const override {
    RankedDistances ranked(longest, form_);
    return WeightForm{WeightForm::Kind::distance, std::move(ranked.discount),
                      std::move(ranked.step)};
  }
  std::vector<double> terms(std::span<const float> labels, double factor) const override {
    const float top = *std::max_element(labels.begin(), labels.end());
    const double shift = gain_.shift_for(top);
    std::vector<double> gain;
    gain.reserve(labels.size());
    for (const float label : labels) gain.push_back(gain_(label, shift) * factor);
    return gain;
  }

 private:
  Gain gain_;
  Discount discount_;
  DistanceForm form_;
};

}  // namespace

std::unique_ptr<const RankWeights> distance_weights(std::string_view gain,
                                                    const DistanceForm& form) {
  return std::make_unique<DistanceWeights>(gain, form);
}

}  // namespace podium
