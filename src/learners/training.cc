#include "podium/training.h"

#include <chrono>

#include <fmt/format.h>

#include "data/content.h"
#include "data/present_features.h"
#include "data/trained_feature.h"
#include "data/transform/expected_types.h"
#include "learners/fit_preparation.h"
#include "learners/label_check.h"
#include "learners/memory_estimate.h"
#include "learners/preference_learner.h"
#include "learners/training_record.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "podium/option_text.h"

namespace podium {
namespace {

using ModelStart = std::shared_ptr<const SavedModel>;

// The loss with the learner's pointwise term. If the loss is already that term, the sum would only
// be a multiple of it, which changes nothing, so that is an error.
SharedLoss with_pointwise_term(const SharedLoss& loss, double weight, const Learner& learner,
                               const std::string& name) {
  if (loss->name().starts_with("python:"))
    throw Error(ErrorCode::usage, "‹pointwise›: add the term in the Python loss itself");
  const SharedLoss term = learner.pointwise_loss();
  if (loss->name() == term->name())
    throw Error(ErrorCode::usage, fmt::format("‹pointwise› adds squared error to other losses, and "
                                              "{} trains on the loss {}: leave it out",
                                              name, loss->name()));
  return sum_of_losses({{1.0, loss}, {weight, term}});
}

// Why preferences cannot be used.
std::string why_no_preferences(const std::optional<SharedLoss>& loss) {
  if (!loss) return "it minimises no loss over pairs of its own choice";
  const std::string name = (*loss)->name();
  if (name.starts_with("structured-"))
    return fmt::format("its loss {} compares whole rankings of graded documents, not two documents",
                       name);
  return fmt::format("its loss {} is not over pairs", name);
}

// The loss with, or replaced by, the same function of preferences.
SharedLoss with_preference_term(const TrainingSpec& spec, const std::optional<SharedLoss>& loss) {
  auto term = loss ? (*loss)->over_preferences() : nullptr;
  if (!term)
    throw Error(
        ErrorCode::usage,
        fmt::format(
            "{} cannot use ‹preferences›: {}; ranknet, lambdarank, lambdamart, gbrank, ranksvm, "
            "frank, rankboost, and boosting, linear and mlp with a ‹loss› over pairs can",
            spec.learner, why_no_preferences(loss)));
  if (spec.preferences == TrainingSpec::Preferences::instead_of_grades) return term;
  return sum_of_losses({{1.0, *loss}, {1.0, std::move(term)}});
}

std::shared_ptr<const Learner> with_wanted_preferences(
    const std::shared_ptr<const Learner>& learner, const TrainingSpec& spec) {
  if (const auto* const pairs = dynamic_cast<const PreferenceLearner*>(learner.get()))
    return pairs->with_preferences(spec.preferences);
  return learner->with_loss(with_preference_term(spec, learner->loss()));
}

std::shared_ptr<const Learner> with_wanted_loss(std::shared_ptr<const Learner> learner,
                                                const TrainingSpec& spec) {
  if (spec.loss && !learner->takes_any_loss())
    throw Error(ErrorCode::usage, fmt::format("{} takes no ‹loss›", spec.learner));
  if (spec.loss) learner = learner->with_loss(*spec.loss);
  if (spec.preferences != TrainingSpec::Preferences::none)
    learner = with_wanted_preferences(learner, spec);
  const std::optional<SharedLoss> loss = learner->loss();
  if (spec.pointwise != 0) {
    if (!loss)
      throw Error(ErrorCode::usage,
                  fmt::format("{} has no loss that ‹pointwise› could add to", spec.learner));
    learner =
        learner->with_loss(with_pointwise_term(*loss, spec.pointwise, *learner, spec.learner));
  }
  if (!spec.rewrite_loss) return learner;
  if (!loss)
    throw Error(ErrorCode::usage,
                fmt::format("{} minimises no loss: train it with ‹debias judged›", spec.learner));
  const SharedLoss rewritten = spec.rewrite_loss(*learner->loss());
  if (rewritten->needs_advancing() && !learner->advances_losses())
    throw Error(ErrorCode::usage,
                fmt::format("{} cannot learn propensities beside its model, as ‹debias dual› does: "
                            "boosting with ‹loss softmax› can",
                            spec.learner));
  return learner->with_loss(rewritten);
}

// The members of a blend were trained one by one, and can be continued only so.
void require_continuable(const SavedModel& start) {
  if (!members_of(start.model).empty())
    throw Error(ErrorCode::usage,
                "‹init› cannot continue a blend: train its members, and blend them again");
}

Transform transform_for(const TrainingSpec& spec, const Dataset& train, const Dataset* valid,
                        Context& context) {
  if (const auto* model = std::get_if<ModelStart>(&spec.start)) {
    if (!spec.preparation.empty())
      throw Error(ErrorCode::usage,
                  "‹init›: data is prepared as that model prepares it: leave out ‹normalize›, "
                  "‹bins›, ‹bin-rule›, ‹features›, ‹impute›, ‹indicators› and ‹encode›");
    require_continuable(**model);
    Transform transform = (*model)->normalization;
    transform.features = (*model)->features;
    transform.schema = (*model)->schema;
    return transform;
  }
  const TransformOptions steps = preparation_steps(*choose_learner(spec).learner, spec.preparation);
  if (spec.preparation.bin_rule && steps.bins == 0)
    throw Error(ErrorCode::usage, "‹bin-rule› needs ‹bins›");
  return fit_preparation(steps, train, {valid, spec.measures[0], spec.convention}, context);
}

// The statistics of a model that is continued come from other data: they are used as they are.
Dataset prepared_training(const TrainingSpec& spec, const Transform& transform,
                          const Dataset& train, Context& context) {
  if (std::holds_alternative<ModelStart>(spec.start)) return apply(transform, train, context);
  return apply_to_training(transform, train, context);
}

template <class Choice>
std::optional<Choice> wanted_choice(std::string_view option, std::string_view name,
                                    const Choices<Choice>& choices) {
  if (name.empty()) return {};
  if (const auto choice = choice_named(choices, name)) return choice;
  const std::vector<std::string> names = choice_names(choices);
  throw Error(ErrorCode::usage, fmt::format("‹{}›: '{}' is not one of {}{}", option, name,
                                            fmt::join(names, ", "), suggestion(name, names)));
}

std::span<const double> train_offset_of(const TrainingSpec& spec) {
  const auto* const scores = std::get_if<TrainingSpec::StartScores>(&spec.start);
  return scores ? std::span<const double>(scores->train) : std::span<const double>();
}

// The training data by content, in the order that the learner needs.
void identify(PreparedData& data, std::span<const double> offset, const Learner& learner,
              Context& context) {
  data.train = with_content(data.train, offset, context);
  if (!learner.needs_rows_in_order()) return;
  data.train_offset = in_content_order(data.train, offset);
  data.train = in_content_order(data.train, context.pool);
}

TrainingProblem::Start start_of(const TrainingSpec& spec, const PreparedData& data) {
  TrainingProblem::Start start;
  if (const auto* model = std::get_if<ModelStart>(&spec.start)) {
    start.model = &(*model)->model;
  } else if (const auto* feature = std::get_if<TrainingSpec::StartFeature>(&spec.start)) {
    const std::size_t found = find_trained_feature("init", feature->name, data.train);
    if (data.train.schema().values(found))
      throw Error(ErrorCode::usage,
                  fmt::format("‹init›: '{}' is a category, not a score", feature->name));
    start.offset_feature = static_cast<std::uint32_t>(found);
  } else if (const auto* scores = std::get_if<TrainingSpec::StartScores>(&spec.start)) {
    start.train_offset = data.train_offset.empty() ? scores->train : data.train_offset;
    start.valid_offset = scores->valid;
  }
  return start;
}

// The only place that refuses categories.
void require_usable_types(const TrainingSpec& spec, const Dataset& data) {
  if (data.schema().all_numbers() || choose_learner(spec).learner->takes_categories()) return;
  const std::string& name = data.feature_names()[data.schema().categories().front().feature];
  throw Error(ErrorCode::usage,
              fmt::format("{0} cannot use the categories of '{1}' yet; ‹ignore {1}› leaves it out",
                          spec.learner, name));
}

// Of so many values most stand for single documents.
void note_large_categories(const Transform& transform, Observer& observer) {
  constexpr std::size_t kManyValues = 65536;
  for (const auto& category : transform.schema.categories()) {
    if (category.values.size() <= kManyValues) continue;
    const std::string& name = transform.features[category.feature];
    observer.note(
        fmt::format("'{0}' has {1} different values, which the model file keeps; if it is an id, "
                    "‹ignore {0}› leaves it out",
                    name, category.values.size()));
  }
}

void note_device(const ChosenLearner& chosen, Context& context) {
  if (context.device.kind == Device::Kind::cpu || chosen.learner->uses_device()) return;
  context.observer.note(fmt::format("{}: {} is trained on the CPU: it grows no trees",
                                    option("device", to_text(context.device)), chosen.name));
}

}  // namespace

std::string loss_text(const Learner& learner) {
  if (const std::optional<SharedLoss> loss = learner.loss()) return (*loss)->name();
  const auto* const pairs = dynamic_cast<const PreferenceLearner*>(&learner);
  return pairs ? pairs->preference_loss() : "";
}

ChosenLearner choose_learner(const TrainingSpec& spec) {
  const Entry<Learner>& entry = learners().at(spec.learner);
  Settings settings(entry.options(), spec.options);
  std::shared_ptr<const Learner> learner = with_wanted_loss(entry.make(settings), spec);
  if (!std::holds_alternative<std::monostate>(spec.start) && !learner->takes_start())
    throw Error(ErrorCode::usage, fmt::format("{} takes no ‹init›", spec.learner));
  return {spec.learner, std::move(settings), std::move(learner)};
}

std::optional<Normalization> wanted_normalization(std::string_view name) {
  if (name.empty()) return {};
  return parse_normalization(name);
}

std::optional<BinRule> wanted_bin_rule(std::string_view name) {
  if (name.empty()) return {};
  return parse_bin_rule(name);
}

std::optional<Imputation> wanted_imputation(std::string_view name) {
  return wanted_choice("impute", name, imputation_choices());
}

std::optional<Indicators> wanted_indicators(std::string_view name) {
  return wanted_choice("indicators", name, indicator_choices());
}

std::optional<Encoding> wanted_encoding(std::string_view name) {
  return wanted_choice("encode", name, encoding_choices());
}

TransformOptions preparation_steps(const Learner& learner, const Preparation& wanted) {
  TransformOptions steps = learner.preparation();
  if (wanted.normalize) steps.normalize = *wanted.normalize;
  if (wanted.bins > 0) steps.bins = wanted.bins;
  if (wanted.bin_rule) steps.bin_rule = *wanted.bin_rule;
  steps.features = wanted.features;
  steps.impute = wanted.impute.value_or(learner.takes_missing_values() ? Imputation::none
                                                                       : Imputation::automatic);
  if (wanted.indicators) {
    if (steps.impute == Imputation::none)
      throw Error(ErrorCode::usage, "‹indicators› needs ‹impute›");
    steps.indicators = *wanted.indicators;
  }
  steps.encode =
      wanted.encode.value_or(learner.takes_categories() ? Encoding::codes : Encoding::automatic);
  return steps;
}

PreparedData prepare(const TrainingSpec& spec, const Dataset& train, const Dataset* valid,
                     Context& context) {
  PreparedData data;
  data.transform = transform_for(spec, train, valid, context);
  data.train = prepared_training(spec, data.transform, train, context);
  require_usable_types(spec, data.train);
  note_large_categories(data.transform, context.observer);
  require_grades(choose_learner(spec), data.train, context.comm);
  note_training_labels(choose_learner(spec), spec.measures, data.train, context);
  identify(data, train_offset_of(spec), *choose_learner(spec).learner, context);
  if (!valid) return data;
  data.valid = apply(data.transform, *valid, context);
  if (data.transform.schema.all_numbers()) require_numbers(*data.valid);
  return data;
}

TrainingProblem problem_of(const TrainingSpec& spec, const PreparedData& data) {
  require_usable_types(spec, data.train);
  TrainingProblem problem{data.train, data.valid ? &*data.valid : nullptr, spec.measures[0],
                          spec.convention, start_of(spec, data)};
  problem.also_log.assign(spec.measures.begin() + 1, spec.measures.end());
  problem.logged = spec.logged;
  problem.bins = data.bins;
  return problem;
}

Trained train(const TrainingSpec& spec, const PreparedData& data, Context& context) {
  const ChosenLearner chosen = choose_learner(spec);
  const TrainingProblem problem = problem_of(spec, data);
  require_grades(chosen, data.train, context.comm);
  note_memory(chosen.name, *chosen.learner, data.train, context.observer);
  note_device(chosen, context);
  context.observer.phase("training " + chosen.name);
  const auto began = std::chrono::steady_clock::now();
  Trained trained;
  trained.result = chosen.learner->train(problem, context);
  trained.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  trained.model = make_saved_model(chosen, data.transform, problem, trained.result, context);
  if (data.valid)
    trained.model.training.validation = measured_unless_stopped(
        problem, trained.model.model, *data.valid, problem.start.valid_offset, context);
  return trained;
}

SavedModel train(const TrainingSpec& spec, const Dataset& train_data, const Dataset* valid,
                 Context& context) {
  return train(spec, prepare(spec, train_data, valid, context), context).model;
}

}  // namespace podium
