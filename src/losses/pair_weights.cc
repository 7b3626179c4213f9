#include "losses/pair_weights.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/spec.h"
#include "losses/swap_weights.h"

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
      stop();  // a swap may look at the whole list
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

struct ClosedForm {
  std::string_view measure;
  std::unique_ptr<const RankWeights> (*make)(const Settings&);
};
constexpr ClosedForm kClosedForms[] = {
    {"nDCG", ndcg_swap_weights},
    {"DCG", dcg_swap_weights},
    {"AP", average_precision_swap_weights},
    {"GMAP", average_precision_swap_weights},
    {"RR", reciprocal_rank_swap_weights},
    {"ERR", expected_reciprocal_rank_swap_weights},
    {"P", precision_swap_weights},
    {"R", recall_swap_weights},
    {"RelP", relative_precision_swap_weights},
    {"tau", tau_swap_weights},
    {"PairAcc", pair_accuracy_swap_weights},
    {"AUC", auc_swap_weights},
    {"Bpref", bpref_swap_weights},
    {"GMBpref", bpref_swap_weights},
};

}  // namespace

std::unique_ptr<const RankWeights> swap_weights(const MeasurePtr& measure) {
  const std::string name = measure->name();
  const Spec spec = parse_spec(name, "measure");
  const auto retrieved = std::pair<std::string, std::string>("denominator", "retrieved");
  const bool has_form =
      std::find(spec.given.begin(), spec.given.end(), retrieved) == spec.given.end();
  for (const ClosedForm& form : kClosedForms)
    if (form.measure == spec.name && has_form)
      return form.make(Settings(measures().at(spec.name).options(), spec.given));
  return std::make_unique<SwapWeights>(measure);
}

}  // namespace podium
