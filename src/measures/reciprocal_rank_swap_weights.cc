// |ΔRR| for swapping ranks i < j, with f the first relevant rank: 1/(i + 1) − 1/(f + 1) if a
// relevant document moves up to i < f; 1/(f + 1) − 1/(min(j, second relevant rank) + 1) if the one
// at f = i moves down; 0 otherwise.
#include <algorithm>
#include <vector>

#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

class RankedReciprocalRank final : public RankedWeights {
 public:
  RankedReciprocalRank(std::span<const float> by_rank, double from, std::size_t depth)
      : first_(by_rank.size()), second_(by_rank.size()), depth_(depth) {
    for (std::size_t r = by_rank.size(); r-- > 0;) {
      relevant_.push_back(is_relevant(by_rank[r], from) ? 1 : 0);
      if (relevant_.back() == 0) continue;
      second_ = first_;
      first_ = r;
    }
    std::reverse(relevant_.begin(), relevant_.end());
  }

  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    const double here = at(pivot);
    for (std::size_t j = pivot + 1; j < relevant_.size(); ++j)
      weight[j] = pivot < first_    ? relevant_[j] * (here - at(first_))
                  : pivot == first_ ? (1 - relevant_[j]) * (here - at(std::min(j, second_)))
                                    : 0;
  }

 private:
  double at(std::size_t rank) const {
    return rank < std::min(depth_, relevant_.size()) ? inverse_rank(rank) : 0;
  }

  std::size_t first_, second_;  // ranks of the first two relevant documents; or the list's length
  std::size_t depth_;
  std::vector<double> relevant_;
};

class ReciprocalRankWeights final : public RankWeights {
 public:
  ReciprocalRankWeights(double from, std::size_t depth) : from_(from), depth_(depth) {}

  std::optional<double> factor(std::span<const float> ideal) const override {
    return count_relevant(ideal, from_) > 0 ? std::optional<double>(1) : std::nullopt;
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank, double) const override {
    return std::make_unique<RankedReciprocalRank>(by_rank, from_, depth_);
  }
  std::size_t depth() const override { return depth_; }

  std::optional<WeightForm> form(std::size_t longest) const override {
    return WeightForm{WeightForm::Kind::reciprocal_rank, inverse_ranks(longest, depth_)};
  }
  std::vector<double> terms(std::span<const float> labels, double) const override {
    return relevances(labels, from_);
  }

 private:
  double from_;
  std::size_t depth_;
};

}  // namespace

std::shared_ptr<const RankWeights> reciprocal_rank_swap_weights(double from, std::size_t depth) {
  return std::make_shared<ReciprocalRankWeights>(from, depth);
}

}  // namespace podium
