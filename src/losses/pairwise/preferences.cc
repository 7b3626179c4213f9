// L = (v/P) Σ_p w_p φ(σ(s_better − s_worse)) over the P preferences of a query of weight v; P = 1
// with pairs=sum. A pair that is given several times counts as often, and so do the pairs of a
// cycle: the loss then has its minimum where they balance. φ is one of pair_functions-inl.h, with
// the margin of a difference of one grade.
#include "losses/pairwise/preferences.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace podium {
namespace {

class BoundPreferences final : public BoundLoss {
 public:
  BoundPreferences(const Dataset& data, const PreferenceForm& form) : data_(data), form_(form) {}

  bool informative(std::size_t q) const override {
    const auto pairs = data_.preferences(q);
    return data_.query_weight(q) > 0 &&
           std::any_of(pairs.begin(), pairs.end(),
                       [](const auto& pair) { return pair.weight > 0; });
  }

  double evaluate(std::size_t q, std::span<const double> scores, Derivatives out) const override {
    std::fill(out.first.begin(), out.first.end(), 0.0);
    std::fill(out.second.begin(), out.second.end(), 0.0);
    const auto pairs = data_.preferences(q);
    if (pairs.empty()) return 0;
    const double average =
        form_.scale == PairScale::average ? 1 / static_cast<double>(pairs.size()) : 1;
    const double scale = data_.query_weight(q) * average;
    double value = 0;
    for (const Preference& pair : pairs) {
      out.stop();
      const PairCost cost =
          cost_of(form_.sigma * scores[pair.better], form_.sigma * scores[pair.worse], pair.weight);
      value += scale * cost.value;
      const double force = scale * form_.sigma * cost.first;
      out.first[pair.better] += force;
      out.first[pair.worse] -= force;
      if (out.second.empty()) continue;
      const double curvature = scale * form_.sigma * form_.sigma * cost.second;
      out.second[pair.better] += curvature;
      out.second[pair.worse] += curvature;
    }
    return value;
  }

 private:
  struct PairCost {
    double value, first, second;
  };
  // A row of the kernel with one pair: the better document is the pivot.
  PairCost cost_of(double better, double worse, double weight) const {
    constexpr std::size_t kPadded = 2 * kPairBlock, kWorse = kPairBlock;
    std::array<double, kPadded> score{}, grade{}, weights{}, first{}, second{};
    score[0] = better;
    score[kWorse] = worse;
    grade[0] = 1;
    weights[kWorse] = weight;
    PairRow row{};
    row.score = score.data();
    row.grade = grade.data();
    row.weight = weights.data();
    row.first = first.data();
    row.second = second.data();
    row.pivot = 0;
    row.begin = kWorse;
    row.end = kPadded;
    const RowSums sums = form_.kernel(row, form_.shape);
    return {sums.value, first[0], second[0]};
  }

  const Dataset& data_;
  PreferenceForm form_;
};

class PreferenceLoss final : public Loss {
 public:
  explicit PreferenceLoss(PreferenceForm form) : form_(std::move(form)) {}
  std::string name() const override {
    return fmt::format("preferences({}{})", form_.function,
                       form_.scale == PairScale::sum ? ",pairs=sum" : "");
  }
  LossTraits traits() const noexcept override {
    return {form_.convexity, LossTraits::Weights::smooth, LossTraits::Shift::invariant};
  }
  std::unique_ptr<const BoundLoss> bind(const Dataset& data, Communicator&) const override {
    return std::make_unique<BoundPreferences>(data, form_);
  }

 private:
  PreferenceForm form_;
};

}  // namespace

std::unique_ptr<const Loss> preference_loss(PreferenceForm form) {
  return std::make_unique<PreferenceLoss>(std::move(form));
}

}  // namespace podium
