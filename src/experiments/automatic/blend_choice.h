// From judged candidates to a blend: the finalists are the best candidate of each family that is
// not clearly worse than the best of all (its mean difference is above −2 standard errors over
// queries), at most a given number; their out-of-fold scores, each divided by the scale of its
// split, give the weights (podium/blend.h).
#pragma once

#include <vector>

#include "experiments/automatic/search.h"
#include "podium/blend.h"

namespace podium {

struct BlendChoice {
  std::vector<JudgedCandidate> members;  // best first
  BlendWeights fit;
};

class BlendChooser {
 public:
  BlendChooser(const Judging& judging, const TrainedCells& cells, std::size_t most_members)
      : judging_(judging), cells_(cells), most_members_(most_members) {}

  std::vector<JudgedCandidate> finalists(const std::vector<JudgedCandidate>& leaders,
                                         const std::vector<std::size_t>& folds) const;
  // The weights of these members, from these folds.
  BlendWeights weights(const std::vector<JudgedCandidate>& members,
                       const std::vector<std::size_t>& folds, Context& context) const;
  BlendChoice choose(const std::vector<JudgedCandidate>& leaders,
                     const std::vector<std::size_t>& folds, Context& context) const;

  // The measure of each query of the folds, in ascending order of queries: of one candidate, and of
  // a blend; `share` as in CellAt. NaN where the candidate could not be trained.
  std::vector<double> values(const Candidate& candidate, const std::vector<std::size_t>& folds,
                             int share = 1) const;
  std::vector<double> values(const BlendChoice& choice, const std::vector<std::size_t>& folds,
                             Context& context, int share = 1) const;

 private:
  std::vector<double> scaled_scores(const Candidate& candidate,
                                    const std::vector<std::size_t>& queries, int share = 1) const;

  const Judging& judging_;
  const TrainedCells& cells_;
  std::size_t most_members_;
};

}  // namespace podium
