#include "learners/training_record.h"

#include <algorithm>
#include <iterator>

#include "data/shares/share_totals.h"
#include "learners/boosting/boosting.h"
#include "learners/preference_learner.h"
#include "learners/usefulness.h"

namespace podium {

SavedModel make_saved_model(const ChosenLearner& learner, const Transform& transform,
                            const TrainingProblem& problem, const TrainingResult& result,
                            Context& context) {
  const auto options = learner.settings.values();
  const ShareTotals train = totals_of(problem.train, context);
  SavedModel saved;
  saved.learner = learner.name;
  // Recorded where they matter, so that models without them are those of earlier versions.
  const auto is_recorded = [&](const auto& option) {
    if (option.first == "interactions") return option.second != Value(std::string());
    if (option.first == "oblivious") return option.second != Value(false);
    if (option.first == "dart" || option.first == "dart-skip")
      return learner.settings["dart"] != Value(0.0);
    return !transform.schema.all_numbers() ||
           std::find(kCategoryOptions.begin(), kCategoryOptions.end(), option.first) ==
               kCategoryOptions.end();
  };
  std::copy_if(options.begin(), options.end(), std::back_inserter(saved.options), is_recorded);
  saved.loss = loss_text(*learner.learner);
  saved.measure = problem.measure->name();
  saved.features = transform.features;
  saved.schema = transform.schema;
  saved.normalization = transform;
  saved.normalization.features.clear();  // stored only in saved.features
  saved.normalization.schema = {};
  saved.model = result.model;
  saved.training.documents = train.documents;
  saved.training.queries = train.queries;
  saved.training.fingerprint = train.fingerprint;
  saved.training.seed = context.seed;
  saved.training.label = problem.train.parts().label_expression;
  saved.training.best_iteration = result.best_iteration;
  saved.training.certificate = result.certificate;
  saved.training.on_top_of_scores = !problem.start.train_offset.empty();
  saved.training.useless = why_useless(*learner.learner, problem, result, context);
  return saved;
}

std::string useless_text(const SavedModel& saved) {
  return "the model is of no use: " + saved.training.useless;
}

std::map<std::string, double> measured(const TrainingProblem& problem, const Model& model,
                                       const Dataset& data, std::span<const double> offset,
                                       Context& context) {
  std::vector<double> scores = score(model, data, context);
  for (std::size_t i = 0; i < offset.size(); ++i) scores[i] += offset[i];
  std::vector<MeasurePtr> measures = {problem.measure};
  measures.insert(measures.end(), problem.also_log.begin(), problem.also_log.end());
  const auto values =
      Evaluator(measures, problem.convention).evaluate(data, scores, context).values;
  std::map<std::string, double> named;
  for (std::size_t m = 0; m < values.size(); ++m) named[measures[m]->name()] = values[m];
  return named;
}

std::map<std::string, double> measured_unless_stopped(const TrainingProblem& problem,
                                                      const Model& model, const Dataset& data,
                                                      std::span<const double> offset,
                                                      Context& context) {
  try {
    return measured(problem, model, data, offset, context);
  } catch (const Stopped&) {
    context.observer.note("stopped: the model is not evaluated");
    return {};
  }
}

}  // namespace podium
