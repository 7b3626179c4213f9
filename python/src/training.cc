#include "training.h"

#include <fmt/format.h>

#include "data/present_features.h"
#include "data/trained_feature.h"
#include "learners/memory_estimate.h"
#include "learners/pointwise_term.h"
#include "learners/training_record.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::python {
namespace {

Transform transform_for(const TrainingRequest& request, const Learner& learner,
                        const Dataset& train, Context& context) {
  if (request.start_model) {
    if (!request.normalize.empty() || request.bins > 0 || !request.bin_rule.empty() ||
        !request.features.empty())
      throw Error(ErrorCode::usage,
                  "init: data is prepared as that model prepares it: leave out normalize, bins, "
                  "bin_rule and features");
    Transform transform = request.start_model->normalization;
    transform.features = request.start_model->features;
    return transform;
  }
  TransformOptions steps = learner.preparation();
  if (!request.normalize.empty()) steps.normalize = parse_normalization(request.normalize);
  if (request.bins > 0) steps.bins = request.bins;
  if (!request.bin_rule.empty()) steps.bin_rule = parse_bin_rule(request.bin_rule);
  steps.features = request.features;
  return fit_training_transform(steps, train, context);
}

std::shared_ptr<const Loss> loss_for(const TrainingRequest& request, const Learner& learner) {
  if (request.loss && !learner.takes_any_loss())
    throw Error(ErrorCode::usage, fmt::format("loss: {} has a loss of its own", request.learner));
  std::string name = request.loss ? request.loss->name() : learner.default_loss();
  if (request.pointwise == 0) return request.loss || name.empty() ? request.loss : parse_loss(name);
  if (name.starts_with("python:"))
    throw Error(ErrorCode::usage, "pointwise: add the term in the Python loss itself");
  return parse_loss(with_pointwise_term(name, request.pointwise, learner, request.learner));
}

TrainingProblem::Start start_for(const TrainingRequest& request, const Learner& learner,
                                 const Dataset& prepared, const Dataset* valid) {
  TrainingProblem::Start start;
  if (request.start_model) {
    start.model = &request.start_model->model;
  } else if (!request.start_feature.empty()) {
    start.offset_feature =
        static_cast<std::uint32_t>(find_trained_feature("--init", request.start_feature, prepared));
  } else if (!request.start_scores.empty()) {
    if (valid && request.valid_start_scores.empty())
      throw Error(ErrorCode::usage, "init has scores for X: give eval_init for eval_set too");
    start.train_offset = request.start_scores;
    start.valid_offset = request.valid_start_scores;
  }
  if (!start.empty() && !learner.takes_start())
    throw Error(ErrorCode::usage, fmt::format("init: {} starts from nothing", request.learner));
  return start;
}

}  // namespace

TrainingAnswer train(const TrainingRequest& request, const Dataset& train, const Dataset* valid,
                     Context& context) {
  const Entry<Learner>& entry = learners().at(request.learner);
  const Settings settings(entry.options(), request.options);
  const auto learner = entry.make(settings);
  const std::shared_ptr<const Loss> loss = loss_for(request, *learner);
  const Transform transform = transform_for(request, *learner, train, context);
  const Dataset prepared = apply(transform, train, context);
  std::optional<Dataset> prepared_valid;
  if (valid) prepared_valid = apply(transform, *valid, context);
  const TrainingProblem problem{prepared,
                                prepared_valid ? &*prepared_valid : nullptr,
                                request.measures[0],
                                find_convention(request.convention),
                                loss,
                                start_for(request, *learner, prepared, valid),
                                {request.measures.begin() + 1, request.measures.end()}};
  note_memory(request.learner, settings, prepared, context.observer);
  TrainingResult result = learner->train(problem, context);
  SavedModel saved = record_of(request.learner, settings, transform, problem,
                               totals_of(prepared, context), result, context);
  if (valid)
    saved.training.validation =
        measured(problem, result.model, *prepared_valid, problem.start.valid_offset, context);
  return {std::move(saved), std::move(result)};
}

}  // namespace podium::python
