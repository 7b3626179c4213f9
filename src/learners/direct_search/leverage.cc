#include "learners/direct_search/leverage.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "learners/checkpoint/checkpoint_models.h"
#include "learners/checkpoint/checkpointing.h"
#include "models/forest/forest.h"
#include "models/forest/forest_scorer.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr double kLeverageRounding = 1e-12;  // of a measure's mean

void add_to(std::vector<double>& scores, double weight, std::span<const double> more) {
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += weight * more[i];
}

// The state of training between two passes.
struct LeverageState {
  Forest forest;  // as given
  std::vector<double> factors, best_factors;
  double best_valid = 0;
  std::int64_t passes = 0;
  enum class Gain { may_come, ended } gain = Gain::may_come;
  Termination termination = Termination::converged;  // of growing the forest
  std::int64_t best_iteration = 0;
  std::vector<Iteration> log;
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.forest, self.factors, self.best_factors, self.best_valid, self.passes, self.gain,
            self.termination, self.best_iteration, self.log);
  }
};

class Leverage {
 public:
  Leverage(LeverageState& state, const TrainingProblem& problem, const ExactLineSearch& search,
           const LeverageOptions& options, Context& context)
      : forest_(state.forest),
        problem_(problem),
        search_(search),
        options_(options),
        context_(context),
        factors_(state.factors),
        best_factors_(state.best_factors),
        best_valid_(state.best_valid),
        train_trees_(make_forest_scorer(problem.train, 1, ScorerUse::often, context)),
        valid_trees_(problem.valid
                         ? make_forest_scorer(*problem.valid, 1, ScorerUse::often, context)
                         : nullptr) {
    rescore();
    if (state.passes == 0) best_valid_ = valid_value_;
  }

  double value() const noexcept { return value_; }  // on the training data
  double valid_value() const noexcept { return valid_value_; }
  Forest best() const { return scaled(problem_.valid ? best_factors_ : factors_); }

  enum class Found { better, nothing_better };  // on the validation data, if any
  Found pass(const Deadline& deadline);

 private:
  Forest scaled(std::span<const double> factors) const;
  std::vector<double> scores_of(const Forest& forest, const Dataset& data,
                                std::span<const double> offset) const;
  void rescore();
  Found move(std::size_t t);
  std::span<const double> tree_scores(std::size_t t, const Dataset& data,
                                      ForestScorer& scorer) const;
  double validate() const {
    return evaluate(problem_.measure, problem_.convention, *problem_.valid, valid_scores_,
                    context_);
  }

  const Forest& forest_;
  const TrainingProblem& problem_;
  const ExactLineSearch& search_;
  const LeverageOptions& options_;
  Context& context_;
  std::vector<double>&factors_, &best_factors_;
  double& best_valid_;
  std::unique_ptr<ForestScorer> train_trees_, valid_trees_;
  std::vector<double> scores_, valid_scores_;
  double value_ = 0, valid_value_ = 0;
};

Forest Leverage::scaled(std::span<const double> factors) const {
  Forest forest = forest_;
  for (std::size_t t = 0; t < factors.size(); ++t)
    for (double& value : forest.trees[t].values) value *= factors[t];
  return forest;
}

std::vector<double> Leverage::scores_of(const Forest& forest, const Dataset& data,
                                        std::span<const double> offset) const {
  std::vector<double> scores = score(forest, data, context_);
  for (std::size_t i = 0; i < offset.size(); ++i) scores[i] += offset[i];
  return scores;
}

// Recomputes the scores from the model, without the rounding errors of many moves.
void Leverage::rescore() {
  const Forest forest = scaled(factors_);
  scores_ = scores_of(forest, problem_.train, problem_.start.train_offset);
  value_ = evaluate(options_.objective, problem_.convention, problem_.train, scores_, context_);
  if (!problem_.valid) return;
  valid_scores_ = scores_of(forest, *problem_.valid, problem_.start.valid_offset);
  valid_value_ = validate();
}

std::span<const double> Leverage::tree_scores(std::size_t t, const Dataset& data,
                                              ForestScorer& scorer) const {
  scorer.start(std::vector<double>(data.documents()));
  scorer.add(std::span(forest_.trees).subspan(t, 1));
  return scorer.outputs();
}

Leverage::Found Leverage::move(std::size_t t) {
  const auto tree = tree_scores(t, problem_.train, *train_trees_);
  const double change = search_
                            .search({.base = scores_,
                                     .direction = tree,
                                     .low = -factors_[t],
                                     .high = options_.max_factor - factors_[t],
                                     .current = 0},
                                    context_)
                            .middle;
  factors_[t] += change;
  add_to(scores_, change, tree);
  if (!problem_.valid) return Found::better;
  add_to(valid_scores_, change, tree_scores(t, *problem_.valid, *valid_trees_));
  const double valid = validate();
  if (!(valid > best_valid_)) return Found::nothing_better;
  best_valid_ = valid;
  best_factors_ = factors_;
  return Found::better;
}

Leverage::Found Leverage::pass(const Deadline& deadline) {
  const std::vector<double> factors = factors_;
  const double before = value_;
  Found found = Found::nothing_better;
  for (std::size_t t = 0; t < factors_.size() && !deadline.reached(context_); ++t)
    if (move(t) == Found::better) found = Found::better;
  rescore();
  // Pieces so narrow that rounding decides the order may be lost.
  if (value_ < before - kLeverageRounding) {
    factors_ = factors;
    rescore();
    if (!problem_.valid) return Found::nothing_better;
  }
  return found;
}

Forest forest_of(Model model) {
  const Error other(ErrorCode::training, "only the trees of a forest can be reweighted");
  return std::visit(Overloaded{[](Forest& forest) { return std::move(forest); },
                               [&](const Linear&) -> Forest { throw other; },
                               [&](const Mlp&) -> Forest { throw other; },
                               [&](const Blend&) -> Forest { throw other; }},
                    model);
}

}  // namespace

void leverage(TrainingResult& result, const TrainingProblem& problem, const ExactLineSearch& search,
              const LeverageOptions& options, Deadline& deadline, Context& context) {
  LeverageState state;
  if (!resume(context, state, deadline)) {
    state.forest = forest_of(std::move(result.model));
    state.factors = state.best_factors = std::vector<double>(state.forest.trees.size(), 1.0);
    state.termination = result.termination;
    state.best_iteration = result.best_iteration;
    state.log = std::move(result.log);
  }
  if (!state.forest.trees.empty()) {
    context.observer.phase("reweighting trees");
    Leverage levered(state, problem, search, options, context);
    while (state.gain == LeverageState::Gain::may_come && state.passes < options.passes) {
      const LeverageState before = context.checkpoints ? state : LeverageState();
      const double value = levered.value();
      const auto found = levered.pass(deadline);
      ++state.passes;
      Iteration step{static_cast<std::int64_t>(state.log.size() + 1),
                     0,
                     {{"train " + options.objective->name(), levered.value()}}};
      if (problem.valid)
        step.values.emplace_back("valid " + problem.measure->name(), levered.valid_value());
      if (found == Leverage::Found::better) state.best_iteration = step.number;
      context.observer.iteration(step);
      state.log.push_back(std::move(step));
      if (const auto why = deadline.reached(context)) {
        state.termination = *why;
        keep(context, before, deadline);
        break;
      }
      if (!(levered.value() - value > options.tolerance)) state.gain = LeverageState::Gain::ended;
      keep_if_due(context, state, deadline);
    }
    state.forest = levered.best();
  }
  result.model = std::move(state.forest);
  result.termination = state.termination;
  result.best_iteration = state.best_iteration;
  result.log = std::move(state.log);
}

}  // namespace podium
