// The closed forms of |ΔM| for Measure::swap_weights(), one function per family of measures. A
// document is relevant if its grade is at least `from`, and ranks from `depth` on do not count.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measures/gain.h"
#include "podium/measure.h"
#include "podium/rank_weights.h"

namespace podium {

// nDCG; lists with fewer than `min_documents` documents count 0.
std::shared_ptr<const RankWeights> ndcg_swap_weights(const Gain& gain, const Discount& discount,
                                                     std::size_t depth, std::size_t min_documents);
std::shared_ptr<const RankWeights> dcg_swap_weights(const Gain& gain, const Discount& discount,
                                                    std::size_t depth);

// The divisor of the number of relevant documents among the first ranks: P, R, RelP.
enum class ShareOf { cut_off, relevant, smaller };
std::shared_ptr<const RankWeights> share_swap_weights(double from, std::size_t depth, ShareOf of);

// AP with the smaller of the number of relevant documents and `most` as denominator.
std::shared_ptr<const RankWeights> average_precision_swap_weights(double from, std::size_t depth,
                                                                  std::size_t most);
std::shared_ptr<const RankWeights> reciprocal_rank_swap_weights(double from, std::size_t depth);
// `max`: the top grade.
std::shared_ptr<const RankWeights> expected_reciprocal_rank_swap_weights(double max,
                                                                         std::size_t depth);

std::shared_ptr<const RankWeights> tau_swap_weights();
std::shared_ptr<const RankWeights> pair_accuracy_swap_weights();
std::shared_ptr<const RankWeights> auc_swap_weights(double from);
std::shared_ptr<const RankWeights> bpref_swap_weights(double from);

inline double inverse_rank(std::size_t rank) {
  return 1 / static_cast<double>(rank + 1);
}

// For WeightForm: the inverses of the first ranks, 0 from `depth` on, and which documents are
// relevant.
std::vector<double> inverse_ranks(std::size_t ranks, std::size_t depth);
std::vector<double> relevances(std::span<const float> labels, double from);

}  // namespace podium
