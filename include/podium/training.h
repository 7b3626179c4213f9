// The one way to train a model: the program, Python, comparisons and restarts all use it.
//
// Life of a training run: TrainingSpec (what to train) → choose_learner (checked, with its loss) →
// prepare (data as the learner sees it) → train → SavedModel, which scores data as it was read.
//
//   TrainingSpec spec{.learner = "lambdamart", .options = {{"trees", "300"}}};
//   spec.measures = parse_measures("nDCG@10", spec.convention);
//   const SavedModel model = train(spec, data, &valid, context);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "podium/learner.h"
#include "podium/transform.h"

namespace podium {

// How features are transformed before training, and again when the model scores. Empty: as in the
// learner's paper.
struct Preparation {
  std::optional<Normalization> normalize = {};  // see TransformOptions
  std::int64_t bins = 0;
  std::optional<BinRule> bin_rule = {};
  std::string features = {};

  bool empty() const noexcept { return !normalize && bins == 0 && !bin_rule && features.empty(); }
};
// From the name that users give; "" if they give none.
std::optional<Normalization> wanted_normalization(std::string_view name);
std::optional<BinRule> wanted_bin_rule(std::string_view name);

struct TrainingSpec {
  std::string learner;  // a row of learners()
  Assignments options = {};
  std::optional<SharedLoss> loss = {};  // none: the learner's own
  double pointwise = 0;                 // times the squared error, added to the loss
  // What the loss becomes before training, if the labels are not judgements: debiased.h. Applied to
  // the learner's own loss, too.
  std::function<SharedLoss(const SharedLoss&)> rewrite_loss = {};
  Convention convention = {};
  std::vector<MeasurePtr> measures =
      {};  // the first is used to choose, the others are logged; not empty
  Preparation preparation = {};
  TrainingProblem::Logged logged = TrainingProblem::Logged::validation;

  struct StartFeature {  // a feature whose value is added to every score
    std::string name;
  };
  struct StartScores {  // scores that the model's are added to, one per document
    std::vector<double> train, valid;
  };
  // Where training starts: from nothing, from a model to continue (its preparation is used), ….
  std::variant<std::monostate, std::shared_ptr<const SavedModel>, StartFeature, StartScores> start =
      {};
};

// The learner described by the spec.
struct ChosenLearner {
  std::string name;
  Settings settings;
  std::shared_ptr<const Learner> learner;
};
// Usage Errors for unknown learners and options, a loss that the learner does not accept, and
// similar: everything that can be checked before data is read.
ChosenLearner choose_learner(const TrainingSpec& spec);

// The steps of preparation: the learner's, overridden by the user's.
TransformOptions preparation_steps(const Learner& learner, const Preparation& wanted);

// Training and validation data, prepared in the same way.
struct PreparedData {
  Dataset train;  // its rows may be in another order than they were read
  std::optional<Dataset> valid;
  Transform transform;                    // from data as read; names every feature that was kept
  std::shared_ptr<BinCache> bins = {};    // of `train`, if several training runs share it
  std::vector<double> train_offset = {};  // StartScores::train, in the order of `train`
};
// The training data has its content, and its rows are stored in that order if the learner needs it
// (Learner::needs_rows_in_order): input_row() is where they come from. All ranks must call it, each
// with its part of the data.
PreparedData prepare(const TrainingSpec& spec, const Dataset& train, const Dataset* valid,
                     Context& context);

// The input of Learner::train. Refers to the spec and the data. Usage Error if the data has
// categories and the learner cannot use them.
TrainingProblem problem_of(const TrainingSpec& spec, const PreparedData& data);

struct Trained {
  SavedModel model;
  TrainingResult result;
  double seconds = 0;  // of Learner::train
};
// Trains and records. Notes high memory use. Throws Stopped if a stop request arrives before there
// is a model; after a later one the measures of the validation data are left out.
Trained train(const TrainingSpec& spec, const PreparedData& data, Context& context);

// From data as read to a model that scores such data.
SavedModel train(const TrainingSpec& spec, const Dataset& train, const Dataset* valid,
                 Context& context);

}  // namespace podium
