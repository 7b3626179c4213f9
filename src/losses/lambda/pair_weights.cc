#include "losses/lambda/pair_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace podium {
namespace {

// Any measure, pair by pair.
class RankedSwaps final : public RankedWeights {
 public:
  RankedSwaps(MeasurePtr measure, std::span<const float> by_rank)
      : measure_(std::move(measure)), by_rank_(by_rank), ideal_(by_rank.begin(), by_rank.end()) {
    std::sort(ideal_.begin(), ideal_.end(), std::greater<>());
  }
  void row(std::size_t pivot, std::size_t, std::size_t, double* weight,
           StopCheck stop) const override {
    for (std::size_t j = pivot + 1; j < by_rank_.size(); ++j) {
      stop();  // a swap may evaluate the whole list
      weight[j] = by_rank_[pivot] == by_rank_[j]
                      ? 0
                      : std::abs(measure_->swap_delta({by_rank_, ideal_}, pivot, j));
    }
  }

 private:
  MeasurePtr measure_;
  std::span<const float> by_rank_;
  std::vector<float> ideal_;
};

class SwapWeights final : public RankWeights {
 public:
  explicit SwapWeights(MeasurePtr measure) : measure_(std::move(measure)) {}

  std::optional<double> factor(std::span<const float> ideal) const override {
    return measure_->value({ideal, ideal}) ? std::optional<double>(1) : std::nullopt;
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank, double) const override {
    return std::make_unique<RankedSwaps>(measure_, by_rank);
  }
  std::size_t depth() const override { return measure_->depth(); }

 private:
  MeasurePtr measure_;
};

}  // namespace

std::shared_ptr<const RankWeights> swap_weights(const MeasurePtr& measure) {
  if (auto closed_form = measure->swap_weights()) return closed_form;
  return std::make_shared<SwapWeights>(measure);
}

}  // namespace podium
