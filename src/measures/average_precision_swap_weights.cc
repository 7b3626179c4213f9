// |ΔAP| for swapping ranks i < j, one of them relevant:
//   |(h_i + 1)/(i + 1) − S_{i+1} + S_j − (h_j + [i is not relevant])/(j + 1)| / denominator
// with h_r the relevant documents, and S_r the sum of 1/(rank + 1) over them, among the ranks
// before r. Ranks from k on count as 0 in all of it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

class RankedAveragePrecision final : public RankedWeights {
 public:
  RankedAveragePrecision(std::span<const float> by_rank, double factor, double from,
                         std::size_t depth)
      : factor_(factor) {
    double inverses = 0;
    double before = 0;  // relevant documents
    for (std::size_t r = 0; r < by_rank.size(); ++r) {
      const double relevant = is_relevant(by_rank[r], from) ? 1 : 0;
      const double inverse = r < depth ? inverse_rank(r) : 0;
      relevant_.push_back(relevant);
      inverse_.push_back(inverse);
      down_.push_back(inverses - before * inverse);
      inverses += relevant * inverse;
      up_.push_back((before + 1) * inverse - inverses);
      before += relevant;
    }
  }

  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    const double good = relevant_[pivot], up = up_[pivot], bad = 1 - good;
    for (std::size_t j = pivot + 1; j < relevant_.size(); ++j)
      weight[j] =
          std::abs(up + (down_[j] - bad * inverse_[j])) * (factor_ * std::abs(good - relevant_[j]));
  }

 private:
  double factor_;
  std::vector<double> relevant_, inverse_, up_, down_;
};

class AveragePrecisionWeights final : public RankWeights {
 public:
  AveragePrecisionWeights(double from, std::size_t depth, std::size_t most)
      : from_(from), depth_(depth), most_(most) {}

  std::optional<double> factor(std::span<const float> ideal) const override {
    const std::size_t relevant = count_relevant(ideal, from_);
    if (relevant == 0) return std::nullopt;
    return 1 / static_cast<double>(std::min(relevant, most_));
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    return std::make_unique<RankedAveragePrecision>(by_rank, factor, from_, depth_);
  }
  std::size_t depth() const override { return depth_; }

  std::optional<WeightForm> form(std::size_t longest) const override {
    return WeightForm{WeightForm::Kind::average_precision, inverse_ranks(longest, depth_)};
  }
  std::vector<double> terms(std::span<const float> labels, double) const override {
    return relevances(labels, from_);
  }

 private:
  double from_;
  std::size_t depth_;
  std::size_t most_;  // of the denominator
};

}  // namespace

std::shared_ptr<const RankWeights> average_precision_swap_weights(double from, std::size_t depth,
                                                                  std::size_t most) {
  return std::make_shared<AveragePrecisionWeights>(from, depth, most);
}

}  // namespace podium
