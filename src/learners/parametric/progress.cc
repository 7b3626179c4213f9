#include "learners/parametric/progress.h"

namespace podium {

TrainingProgress::TrainingProgress(const TrainingProblem& problem, const ScoringFunction& function,
                                   Limits limits, Context& context)
    : problem_(problem),
      function_(function),
      limits_(limits),
      context_(context),
      stopping_(limits.patience),
      deadline_(limits.max_seconds) {
  if (!problem.valid) return;
  std::vector<MeasurePtr> measures = {problem.measure};
  measures.insert(measures.end(), problem.also_log.begin(), problem.also_log.end());
  evaluator_.emplace(std::move(measures), problem.convention);
}

void TrainingProgress::begin_run(std::int64_t iterations) {
  ++run_;
  last_iteration_ = this->iterations() + iterations;
  stopping_ = EarlyStopping(limits_.patience);
  run_last_.reset();
  run_lowest_.reset();
}

std::optional<Termination> TrainingProgress::record(
    double objective, std::span<const double> parameters,
    std::vector<std::pair<std::string, double>> more) {
  Iteration step{iterations() + 1, last_iteration_, {{"objective", objective}}};
  step.values.insert(step.values.end(), more.begin(), more.end());
  Point point{-objective, step.number, {parameters.begin(), parameters.end()}};
  if (problem_.logged == TrainingProblem::Logged::training_too) {
    std::vector<double> scores = score(function_.model(parameters), problem_.train, context_);
    const auto& offset = problem_.start.train_offset;
    for (std::size_t i = 0; i < offset.size(); ++i) scores[i] += offset[i];
    step.values.emplace_back(
        "train " + problem_.measure->name(),
        evaluate(problem_.measure, problem_.convention, problem_.train, scores, context_));
  }
  if (evaluator_) {
    std::vector<double> scores = score(function_.model(parameters), *problem_.valid, context_);
    const auto& offset = problem_.start.valid_offset;
    for (std::size_t i = 0; i < offset.size(); ++i) scores[i] += offset[i];
    const auto values = evaluator_->evaluate(*problem_.valid, scores, context_).values;
    for (std::size_t m = 0; m < values.size(); ++m)
      step.values.emplace_back("valid " + evaluator_->measures()[m]->name(), values[m]);
    point.value = values[0];
    stopping_.improves(step.number, point.value);
    offer(point);
  } else {
    if (!run_lowest_ || point.value > run_lowest_->value) run_lowest_ = point;
    run_last_ = std::move(point);
  }
  context_.observer.iteration(step);
  log_.push_back(std::move(step));
  if (evaluator_ && stopping_.should_stop()) return Termination::early_stopping;
  return interrupted();
}

std::optional<Termination> TrainingProgress::interrupted() {
  seconds_ = deadline_.seconds();
  return deadline_.reached(context_);
}

void TrainingProgress::offer(const Point& point) {
  if (best_ && !(point.value > best_->value)) return;
  best_ = point;
  leading_run_ = run_;
}

void TrainingProgress::end_run(RunEnd how) {
  const auto& candidate = how == RunEnd::regular ? run_last_ : run_lowest_;
  if (candidate) offer(*candidate);
}

TrainingResult TrainingProgress::result() {
  if (!best_) throw Stopped();
  TrainingResult out;
  out.model = function_.model(best_->parameters);
  out.best_iteration = best_->iteration;
  out.log = std::move(log_);
  return out;
}

}  // namespace podium
