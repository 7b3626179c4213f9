// One way to train a model: the program, Python, comparisons and restarts all come through here.
//
// Life of a training: TrainingSpec (what is wanted) → choose_learner (checked, with its loss) →
// prepare (data as the learner sees it) → train → SavedModel, which scores data as it was read.
//
//   TrainingSpec spec{.learner = "lambdamart", .options = {{"trees", "300"}}};
//   spec.measures = parse_measures("nDCG@10", spec.convention);
//   const SavedModel model = train(spec, data, &valid, context);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "podium/learner.h"
#include "podium/transform.h"

namespace podium {

// What happens to features before training, and again when the model scores. What is empty is as
// the learner's paper has it.
struct Preparation {
  std::optional<Normalization> normalize = {};  // as TransformOptions has them
  std::int64_t bins = 0;
  std::optional<BinRule> bin_rule = {};
  std::string features = {};

  bool empty() const noexcept { return !normalize && bins == 0 && !bin_rule && features.empty(); }
};
// What users name; "" where they name nothing.
std::optional<Normalization> wanted_normalization(std::string_view name);
std::optional<BinRule> wanted_bin_rule(std::string_view name);

struct TrainingSpec {
  std::string learner;  // a row of learners()
  Assignments options = {};
  std::optional<SharedLoss> loss = {};  // the learner's own where none is given
  double pointwise = 0;                 // times the squared error, added to the loss
  Convention convention = {};
  std::vector<MeasurePtr> measures = {};  // the first chooses, the others are logged; not empty
  Preparation preparation = {};
  TrainingProblem::Logged logged = TrainingProblem::Logged::validation;

  struct StartFeature {  // whose value every score begins with
    std::string name;
  };
  struct StartScores {  // that the model's are added to, one per document
    std::vector<double> train, valid;
  };
  // Where training starts: from nothing, or a model to go on from (its preparation is used), ….
  std::variant<std::monostate, std::shared_ptr<const SavedModel>, StartFeature, StartScores> start =
      {};
};

// A learner as the spec wants it.
struct ChosenLearner {
  std::string name;
  Settings settings;
  std::shared_ptr<const Learner> learner;
};
// Usage Errors for unknown learners and options, a loss that the learner does not take, and the
// like: all that can be said before data is read.
ChosenLearner choose_learner(const TrainingSpec& spec);

// The steps of preparation: the learner's, and the user's where they are given.
TransformOptions preparation_steps(const Learner& learner, const Preparation& wanted);

// Training and validation data, prepared alike.
struct PreparedData {
  Dataset train;
  std::optional<Dataset> valid;
  Transform transform;                  // from data as read; names every feature that was kept
  std::shared_ptr<BinCache> bins = {};  // of `train`, where several trainings share it
};
// All ranks call it together, each with its part of the data.
PreparedData prepare(const TrainingSpec& spec, const Dataset& train, const Dataset* valid,
                     Context& context);

// What Learner::train gets. Refers to the spec and the data. Usage Error where the data has
// categories and the learner takes none.
TrainingProblem problem_of(const TrainingSpec& spec, const PreparedData& data);

struct Trained {
  SavedModel model;
  TrainingResult result;
  double seconds = 0;  // of Learner::train
};
// Trains and records. Notes what takes much memory. Throws Stopped where a stop request comes
// before there is a model; one that comes later leaves the measures of the validation data out.
Trained train(const TrainingSpec& spec, const PreparedData& data, Context& context);

// From data as read to a model that scores such data.
SavedModel train(const TrainingSpec& spec, const Dataset& train, const Dataset* valid,
                 Context& context);

}  // namespace podium
