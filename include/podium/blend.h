// Weights of a blend: members' scores are put on one scale by constants, and the weights maximise
// the measure itself, by exact line searches [Tan13] along one member at a time, starting from
// equal weights.
//
// The optimum on few queries follows their noise, so the weights are shrunk towards equal ones,
//
//   w = (1 − λ) · optimum + λ / members,
//
// with λ chosen by inner folds over the queries: each fold is judged with weights found on the
// others. A document's score never depends on other documents, unless a member's transform does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "podium/context.h"
#include "podium/dataset.h"
#include "podium/evaluator.h"
#include "podium/model.h"

namespace podium {

struct BlendOptions {
  MeasurePtr measure;
  Convention convention = {};
  enum class Signs { nonnegative, any } signs = Signs::nonnegative;
  std::size_t folds = 5;  // that choose the shrinkage; fewer if there are fewer queries
};

struct BlendWeights {
  std::vector<double> weights = {};  // one per member, of scores divided by their scales; Σ |w| = 1
  double shrinkage = 1;              // λ; 1: equal weights
  double value = 0;                  // of the measure on the data, with these weights
  double equal_value = 0;            // with equal weights
  // Of the measure on inner folds that chose neither weights nor λ's competitors: the mean over the
  // folds for the chosen λ; NaN if there were too few queries for folds.
  double held_out = 0;
};

// The standard deviation of scores around their query's mean, pooled over all queries; 1 if all
// queries' scores are constant.
double score_scale(const Dataset& data, std::span<const double> scores);

// `scores`: of each member, one per document of the data, already divided by their scales. The
// measure must have an exact line search (usage Error otherwise). The same for any number of
// threads.
BlendWeights fit_blend_weights(const Dataset& data, const std::vector<std::vector<double>>& scores,
                               const BlendOptions& options, Context& context);

struct BlendedModels {
  SavedModel model;
  BlendWeights fit;
  std::vector<double> values;  // of each member alone
};
// Scores the data with each model and blends them.
BlendedModels blend_models(std::vector<SavedModel> models, const Dataset& data,
                           const BlendOptions& options, Context& context);

}  // namespace podium
