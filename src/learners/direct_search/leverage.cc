#include "learners/direct_search/leverage.h"

#include <algorithm>
#include <cmath>

#include "models/fast_forest.h"

namespace podium {
namespace {

class Leverage {
 public:
  Leverage(const Forest& forest, const TrainingProblem& problem, const ExactLineSearch& search,
           const LeverageOptions& options, Context& context)
      : forest_(forest),
        problem_(problem),
        search_(search),
        options_(options),
        context_(context),
        factors_(forest.trees.size(), 1.0),
        tree_(problem.train.documents()) {
    rescore();
  }

  // The measure behind the last search; NaN where a stop was asked for before the first.
  double pass(const Deadline& deadline) {
    double value = std::nan("");
    for (std::size_t t = 0; t < factors_.size() && !deadline.reached(context_); ++t)
      value = search_tree(t);
    rescore();
    return value;
  }

  Forest forest() const {
    Forest scaled = forest_;
    for (std::size_t t = 0; t < factors_.size(); ++t)
      for (double& value : scaled.trees[t].values) value *= factors_[t];
    return scaled;
  }

 private:
  void rescore() { scores_ = scores_of(forest(), problem_.train, problem_.start.train_offset); }
  std::vector<double> scores_of(Forest forest, const Dataset& data,
                                std::span<const double> offset) const {
    std::vector<double> scores = score(Model(std::move(forest)), data, context_.pool);
    for (std::size_t i = 0; i < offset.size(); ++i) scores[i] += offset[i];
    return scores;
  }

  double search_tree(std::size_t t) {
    std::fill(tree_.begin(), tree_.end(), 0.0);
    FastForest(std::span(forest_.trees).subspan(t, 1), 1, forest_.features)
        .add_to(tree_, problem_.train, context_.pool);
    const LineSearchResult found = search_.search({.base = scores_,
                                                   .direction = tree_,
                                                   .low = -factors_[t],
                                                   .high = options_.max_factor - factors_[t],
                                                   .current = 0},
                                                  context_);
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] += found.middle * tree_[i];
    factors_[t] += found.middle;
    return found.best.value;
  }

  const Forest& forest_;
  const TrainingProblem& problem_;
  const ExactLineSearch& search_;
  const LeverageOptions& options_;
  Context& context_;
  std::vector<double> factors_;
  std::vector<double> scores_, tree_;
};

double validate(const Forest& forest, const TrainingProblem& problem, Context& context) {
  std::vector<double> scores = score(Model(forest), *problem.valid, context.pool);
  for (std::size_t i = 0; i < problem.start.valid_offset.size(); ++i)
    scores[i] += problem.start.valid_offset[i];
  return evaluate(problem.measure, problem.convention, *problem.valid, scores, context);
}

}  // namespace

void leverage(TrainingResult& result, const TrainingProblem& problem, const ExactLineSearch& search,
              const LeverageOptions& options, const Deadline& deadline, Context& context) {
  const Forest given = std::get<Forest>(result.model);
  if (given.trees.empty()) return;
  context.observer.phase("weighing trees again");
  Leverage levered(given, problem, search, options, context);
  double best = problem.valid ? validate(given, problem, context) : 0;
  double before = -HUGE_VAL;
  for (std::int64_t pass = 1; pass <= options.passes; ++pass) {
    const double value = levered.pass(deadline);
    Iteration step{
        static_cast<std::int64_t>(result.log.size() + 1), 0, {{"train " + options.measure, value}}};
    Forest forest = levered.forest();
    bool better = true;
    if (problem.valid) {
      const double valid = validate(forest, problem, context);
      step.values.emplace_back("valid " + problem.measure->name(), valid);
      better = valid > best;
      if (better) best = valid;
    }
    if (better) {
      result.model = std::move(forest);
      result.best_iteration = step.number;
    }
    context.observer.iteration(step);
    result.log.push_back(std::move(step));
    if (const auto why = deadline.reached(context)) {
      result.why = *why;
      return;
    }
    if (!(value - before > options.tolerance)) return;
    before = value;
  }
}

}  // namespace podium
