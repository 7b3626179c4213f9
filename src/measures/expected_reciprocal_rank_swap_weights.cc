// |ΔERR| for swapping ranks i < j, where users stop with probabilities R_i and R_j:
//   reach_i · |R_i − R_j| · |1/(i + 1) − Σ_{i<r<j} Π_r R_r/(r + 1) − Π_j/(j + 1)|
// with reach_i the probability that a user reaches i, and Π_r that of passing all ranks between i
// and r. One pass over j for each i, without division by probabilities that may be 0.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/math_functions.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

class RankedExpectedRank final : public RankedWeights {
 public:
  RankedExpectedRank(std::vector<double> stop, std::size_t depth)
      : stop_(std::move(stop)), depth_(std::min(depth, stop_.size())) {
    double reach = 1;
    for (const double stopping : stop_) {
      reach_.push_back(reach);
      reach *= 1 - stopping;
    }
  }

  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    const double here = inverse_rank(pivot), stopping = stop_[pivot], reach = reach_[pivot];
    double pass = 1, between = 0;
    std::size_t j = pivot + 1;
    for (; j < depth_; ++j) {
      const double inverse = inverse_rank(j);
      weight[j] =
          reach * (std::abs(stopping - stop_[j]) * std::abs(here - (between + pass * inverse)));
      between += pass * stop_[j] * inverse;
      pass *= 1 - stop_[j];
    }
    for (; j < stop_.size(); ++j)
      weight[j] = reach * (std::abs(stopping - stop_[j]) * std::abs(here - between));
  }

 private:
  std::vector<double> stop_, reach_;
  std::size_t depth_;
};

class ExpectedRankWeights final : public RankWeights {
 public:
  ExpectedRankWeights(double max, std::size_t depth) : max_(max), depth_(depth) {
    for (std::size_t g = 0; g < small_.size(); ++g) small_[g] = stop(static_cast<double>(g));
  }

  std::optional<double> factor(std::span<const float>) const override { return 1; }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    return std::make_unique<RankedExpectedRank>(terms(by_rank, factor), depth_);
  }
  std::size_t depth() const override { return depth_; }

  std::optional<WeightForm> form(std::size_t longest) const override {
    return WeightForm{WeightForm::Kind::expected_rank, inverse_ranks(longest, depth_)};
  }
  std::vector<double> terms(std::span<const float> labels, double) const override {
    std::vector<double> stops;
    stops.reserve(labels.size());
    for (const float label : labels) {
      const auto whole =
          static_cast<std::size_t>(label > 0 && label < small_.size() ? label : 0.0F);
      stops.push_back(!(label > 0)                         ? 0
                      : static_cast<float>(whole) == label ? small_[whole]
                                                           : stop(label));
    }
    return stops;
  }

 private:
  double stop(double grade) const {
    return math::exp2(std::min(grade, max_) - max_) - math::exp2(-max_);
  }

  double max_;
  std::size_t depth_;
  std::array<double, 32> small_;
};

}  // namespace

std::shared_ptr<const RankWeights> expected_reciprocal_rank_swap_weights(double max,
                                                                         std::size_t depth) {
  return std::make_shared<ExpectedRankWeights>(max, depth);
}

}  // namespace podium
