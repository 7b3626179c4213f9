// Boosting of threshold weak rankers for a loss over pairs: shared by RankBoost and FRank. Every
// round chooses the ranker h whose indicator correlates most with the documents' potentials, and
// adds α h to the scores with
//
//   α = ½ ln (W⁺ / W⁻)
//
// from the weights of the pairs that h orders correctly and wrongly, both smoothed; α is halved
// until the loss decreases. The model is a forest of stumps, with equal thresholds merged.
#pragma once

#include <cstdint>
#include <span>

#include "learners/weak_rankers/threshold_rankers_pairs.h"
#include "podium/learner.h"

namespace podium {

// A loss that weights pairs: the weight of a pair is how strongly the loss pushes it apart.
class PairRisk {
 public:
  virtual ~PairRisk() = default;
  struct State {
    double objective;  // decreases during training
    double weight;     // of all pairs, in the unit of potentials and splits
  };
  // At these scores: the loss, and the documents' potentials (the weight of the pairs in which a
  // document is the better one, minus that of the pairs in which it is the worse one).
  virtual State evaluate(std::span<const double> scores, std::span<double> potentials) = 0;
  // The weights, at the scores of the last evaluate(), of the pairs for which h is 1 only for the
  // better document, and only for the worse one.
  struct Split {
    double right, wrong;
  };
  virtual Split split(std::span<const double> scores, std::span<const std::uint8_t> h) = 0;
};

struct ThresholdBoostingOptions : PairOptions {
  std::int64_t rounds = 1000;
  std::int64_t thresholds = 255;
  double learning_rate = 0.1;
  std::int64_t early_stopping = 100;
  double max_seconds = 0;
};

template <class Options>
OptionTable<Options> threshold_boosting_table() {
  return OptionTable<Options>()
      .add("rounds", &Options::rounds, "maximum number of weak rankers", at_least(1))
      .add("thresholds", &Options::thresholds,
           "maximum thresholds per feature, at quantiles; 0: between all its values",
           between(0, 65533))
      .add("learning-rate", &Options::learning_rate, "fraction of the best step to take",
           Range{0, 1, Range::Low::open})
      .add("early-stopping", &Options::early_stopping,
           "stop when the validation measure has not improved for this many rounds; 0: never",
           at_least(0))
      .add("max-seconds", &Options::max_seconds, "stop after this many seconds; 0: never",
           at_least(0))
      .add("pairs", &Options::pairs, kPairScaleHelp, pair_scale_choices())
      .add("labels", &Options::labels,
           "all pairs of different grades, or relevant against non-relevant documents only",
           {{"graded", PairOptions::Labels::graded}, {"binary", PairOptions::Labels::binary}})
      .add("relevant-from", &Options::relevant_from,
           "labels=binary: lowest grade that counts as relevant")
      .search("learning-rate", by_factors(0.03, 1))
      .search("thresholds", by_factors(10, 1000));
}

TrainingResult boost_threshold_rankers(const TrainingProblem& problem, const GradedPairs& pairs,
                                       PairRisk& risk, const ThresholdBoostingOptions& options,
                                       Context& context);
MemoryNeed memory_of_threshold_rankers(const Dataset& train);

}  // namespace podium
