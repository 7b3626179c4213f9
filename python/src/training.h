// A training run as Python asks for it, and what came of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "podium/learner.h"

namespace podium::python {

struct TrainingRequest {
  std::string learner;
  Assignments options;
  std::string convention = "podium";
  std::vector<MeasurePtr> measures;  // the first chooses, the others are logged
  std::shared_ptr<const Loss> loss;  // null: the learner's own
  double pointwise = 0;              // times the squared error, added to the loss
  std::string normalize;             // "": as the learner's paper prepares its data
  std::int64_t bins = 0;
  std::string bin_rule;
  std::string features;  // "": all
  std::uint64_t seed = 1;
  int threads = 0;
  // Where training starts: at most one of them.
  std::optional<SavedModel> start_model;
  std::string start_feature;
  std::vector<double> start_scores, valid_start_scores;
};

struct TrainingAnswer {
  SavedModel model;
  TrainingResult result;
};

TrainingAnswer train(const TrainingRequest& request, const Dataset& train, const Dataset* valid,
                     Context& context);

}  // namespace podium::python
