// |ΔBpref| for swapping ranks i < j. With n_r the judged bad documents above rank r, a relevant
// document there contributes v(n_r) = 1 − min(n_r, R)/min(N, R), divided by R. A swap moves the
// relevant one of the two, and if a bad one goes up (down), every relevant document between them
// gets one more (less) above it, which costs (gains) 1/min(N, R) where n_r < R (n_r ≤ R). Those are
// counted once from the top, so a pair takes O(1).
#include <algorithm>
#include <cmath>
#include <vector>

#include "measures/labels.h"
#include "measures/swap_weights.h"

namespace podium {
namespace {

class RankedBpref final : public RankedWeights {
 public:
  RankedBpref(std::span<const float> by_rank, double factor, double from) : factor_(factor) {
    std::size_t relevant = 0, bad = 0;
    for (const float label : by_rank) {
      relevant += is_relevant(label, from);
      bad += is_bad(label, from);
    }
    most_ = static_cast<double>(relevant);
    const double limit = static_cast<double>(std::min(relevant, bad));
    per_bad_ = limit > 0 ? 1 / limit : 0;
    Rank at{};
    for (const float label : by_rank) {
      at.kind = is_relevant(label, from) ? Kind::relevant
                : is_bad(label, from)    ? Kind::bad
                                         : Kind::neither;
      at.few_above = at.few_through;
      at.few_through += at.kind == Kind::relevant && at.bad_above < most_;
      ranks_.push_back(at);
      at.not_many_above += at.kind == Kind::relevant && at.bad_above <= most_;
      at.bad_above += at.kind == Kind::bad;
    }
  }

  void row(std::size_t pivot, std::size_t, std::size_t, double* weight, StopCheck) const override {
    for (std::size_t j = pivot + 1; j < ranks_.size(); ++j)
      weight[j] = factor_ * std::abs(change(ranks_[pivot], ranks_[j]));
  }

 private:
  enum class Kind { relevant, bad, neither };
  struct Rank {
    Kind kind;
    double bad_above;
    double few_above, few_through;  // relevant documents with n < R, above and with this one
    double not_many_above;          // with n ≤ R
  };
  static bool is_bad(float label, double from) { return label >= 0 && !is_relevant(label, from); }

  double counts(double bad_above) const { return 1 - std::min(bad_above, most_) * per_bad_; }

  double change(const Rank& upper, const Rank& lower) const {
    if (upper.kind == lower.kind) return 0;
    double gained = 0;
    if (lower.kind == Kind::bad)  // goes up
      gained -= per_bad_ * (lower.few_above - upper.few_through);
    if (upper.kind == Kind::bad)  // goes down
      gained += per_bad_ * (lower.not_many_above - upper.not_many_above);
    if (upper.kind == Kind::relevant)
      gained += counts(lower.bad_above + (lower.kind == Kind::bad)) - counts(upper.bad_above);
    if (lower.kind == Kind::relevant) gained += counts(upper.bad_above) - counts(lower.bad_above);
    return gained;
  }

  double factor_, most_, per_bad_;
  std::vector<Rank> ranks_;
};

class BprefWeights final : public RankWeights {
 public:
  explicit BprefWeights(double from) : from_(from) {}

  std::optional<double> factor(std::span<const float> ideal) const override {
    const std::size_t relevant = count_relevant(ideal, from_);
    if (relevant == 0) return std::nullopt;
    return 1 / static_cast<double>(relevant);
  }
  std::unique_ptr<const RankedWeights> rank(std::span<const float> by_rank,
                                            double factor) const override {
    return std::make_unique<RankedBpref>(by_rank, factor, from_);
  }
  std::size_t depth() const override { return Measure::kWholeList; }

 private:
  double from_;
};

}  // namespace

std::shared_ptr<const RankWeights> bpref_swap_weights(double from) {
  return std::make_shared<BprefWeights>(from);
}

}  // namespace podium
