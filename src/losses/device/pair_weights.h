// The weights of pairs on a device: WeightForm (podium/rank_weights.h), with the arithmetic of
// measures/*_swap_weights.cc and losses/lambda/distance_weights.cc.
#pragma once

#include <cstdint>

#include "losses/device/one_lane.h"
#include "losses/device/ranked_list.h"
#include "podium/rank_weights.h"

namespace podium {

struct DevicePairWeights {
  WeightForm::Kind kind;
  bool by_document;       // times the weights of the two documents
  const double* of_rank;  // as in WeightForm
  const double* of_distance;
  double factor;                                  // of average_precision
  std::uint64_t first_relevant, second_relevant;  // of reciprocal_rank; or the list's length

  // For ranks p < j.
  PODIUM_BOTH double of(const RankedList& list, std::uint64_t p, std::uint64_t j) const {
    const double weight = of_ranks(list, p, j);
    return by_document ? weight * (double{list.weight[p]} * list.weight[j]) : weight;
  }

  // What the form needs of the whole list, by one thread.
  PODIUM_BOTH void prepare(const RankedList& list) {
    if (kind == WeightForm::Kind::average_precision) run_sums_of_relevant(list);
    if (kind == WeightForm::Kind::reciprocal_rank) find_relevant(list);
  }

 private:
  PODIUM_BOTH double of_ranks(const RankedList& list, std::uint64_t p, std::uint64_t j) const {
    using one_lane::magnitude;
    switch (kind) {
      case WeightForm::Kind::product:
        return magnitude((list.term[p] - list.term[j]) * (of_rank[p] - of_rank[j]));
      case WeightForm::Kind::distance:
        return magnitude(list.term[p] - list.term[j]) *
               (magnitude(of_rank[p] - of_rank[j]) + of_distance[j - p]);
      case WeightForm::Kind::average_precision: {
        const double good = list.term[p];
        return magnitude(list.up[p] + (list.down[j] - (1 - good) * of_rank[j])) *
               (factor * magnitude(good - list.term[j]));
      }
      case WeightForm::Kind::reciprocal_rank:
        break;
    }
    const double here = inverse(list, p);
    if (p < first_relevant) return list.term[j] * (here - inverse(list, first_relevant));
    if (p > first_relevant) return 0;
    return (1 - list.term[j]) * (here - inverse(list, j < second_relevant ? j : second_relevant));
  }

  PODIUM_BOTH double inverse(const RankedList& list, std::uint64_t rank) const {
    return rank < list.documents ? of_rank[rank] : 0;
  }

  PODIUM_BOTH void run_sums_of_relevant(const RankedList& list) const {
    double inverses = 0, before = 0;
    for (std::uint64_t r = 0; r < list.documents; ++r) {
      const double relevant = list.term[r], inverse = of_rank[r];
      list.down[r] = inverses - before * inverse;
      inverses += relevant * inverse;
      list.up[r] = (before + 1) * inverse - inverses;
      before += relevant;
    }
  }

  PODIUM_BOTH void find_relevant(const RankedList& list) {
    first_relevant = second_relevant = list.documents;
    for (std::uint64_t r = 0; r < list.documents && second_relevant == list.documents; ++r) {
      if (list.term[r] == 0) continue;
      (first_relevant == list.documents ? first_relevant : second_relevant) = r;
    }
  }
};

}  // namespace podium
