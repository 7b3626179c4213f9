// The closed forms of |ΔM| behind swap_weights(), one function a family of measures. Each takes the
// measure's settings.
#pragma once

#include <memory>

#include "losses/pair_weights.h"
#include "podium/options.h"

namespace podium {

std::unique_ptr<const RankWeights> ndcg_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> dcg_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> precision_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> recall_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> relative_precision_swap_weights(const Settings& settings);
// With the denominators `relevant` and `cutoff`.
std::unique_ptr<const RankWeights> average_precision_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> reciprocal_rank_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> expected_reciprocal_rank_swap_weights(const Settings& settings);

std::unique_ptr<const RankWeights> tau_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> pair_accuracy_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> auc_swap_weights(const Settings& settings);
std::unique_ptr<const RankWeights> bpref_swap_weights(const Settings& settings);

inline std::size_t cut_off_in(const Settings& settings) {
  const auto k = std::get<std::int64_t>(settings["k"]);
  return k > 0 ? static_cast<std::size_t>(k) : Measure::kWholeList;
}
inline double inverse_rank(std::size_t rank) {
  return 1 / static_cast<double>(rank + 1);
}

}  // namespace podium
