// A single feature as a baseline: the feature and sign with the best value of the measure on the
// training data. [Yue07] compares with the best, second and third base functions: ‹place 2›, ‹place
// 3›.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/counted.h"
#include "learners/catalog.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/memory_estimate.h"
#include "models/linear/linear.h"
#include "podium/error.h"

namespace podium {
namespace {

struct FeatureOptions {
  int place = 1;
};

const OptionTable<FeatureOptions>& feature_table() {
  static const auto options = OptionTable<FeatureOptions>().add(
      "place", &FeatureOptions::place,
      "rank of the feature to use: 1 is the best, 2 the second best, …", at_least(1));
  return options;
}

class FeatureLearner final : public Learner {
 public:
  explicit FeatureLearner(FeatureOptions options) : options_(options) {}

  bool takes_missing_values() const override { return true; }
  TrainingResult train(const TrainingProblem& problem, Context& context) const override {
    const std::size_t features = problem.train.features();
    const auto place = static_cast<std::size_t>(options_.place);
    if (features == 0) throw Error(ErrorCode::data, "the training data has no features");
    if (place > features)
      throw Error(ErrorCode::usage,
                  fmt::format("‹place {}›: the data has {}", place, counted(features, "feature")));
    const Evaluator evaluator({problem.measure}, problem.convention);
    State state;
    resume(context, state);
    TrainingResult result;
    while (state.log.size() < features) {
      if (Deadline(0).reached(context)) {
        keep(context, state);
        result.termination = Termination::stopped;
        break;
      }
      try {
        try_next(problem, evaluator, state, context);
      } catch (const Stopped&) {
        keep(context, state);
        if (state.log.empty()) throw;
        result.termination = Termination::stopped;
        break;
      }
      keep_if_due(context, state);
    }
    std::vector<double>&best = state.value, &sign = state.sign;
    best.resize(features, -1);
    sign.resize(features, 1);
    std::vector<std::size_t> order(features);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return best[a] > best[b]; });
    const std::size_t chosen = order[place - 1];
    Linear model{std::vector<double>(features), 0};
    model.weights[chosen] = sign[chosen];
    result.best_iteration = static_cast<std::int64_t>(chosen + 1);
    result.model = std::move(model);
    result.log = std::move(state.log);
    return result;
  }
  MemoryNeed memory_need(const Dataset& train) const override {
    return memory_for({.per_input_and_query = 16}, train);
  }

 private:
  // The features evaluated so far.
  struct State {
    std::vector<double> value, sign;
    std::vector<Iteration> log;

    template <class Archive, class Self>
    static void fields(Archive& archive, Self& self) {
      archive(self.value, self.sign, self.log);
    }
  };

  static void try_next(const TrainingProblem& problem, const Evaluator& evaluator, State& state,
                       Context& context) {
    const std::size_t f = state.log.size();
    std::vector<double> scores = feature_column(problem.train, f, context.pool);
    const double up = evaluator.evaluate(problem.train, scores, context).values[0];
    for (double& s : scores) s = -s;
    const double down = evaluator.evaluate(problem.train, scores, context).values[0];
    state.value.push_back(down > up ? down : up);
    state.sign.push_back(down > up ? -1 : 1);
    state.log.push_back({static_cast<std::int64_t>(f + 1),
                         static_cast<std::int64_t>(problem.train.features()),
                         {{"train " + problem.measure->name(), state.value.back()}}});
    context.observer.iteration(state.log.back());
  }

  FeatureOptions options_;
};

}  // namespace

const Entry<Learner> kFeatureLearner = {
    "feature", "the best single feature and its sign (baseline)", "Yue07",
    []() -> const std::vector<Field>& { return feature_table().fields(); },
    [](const Settings& settings) -> std::unique_ptr<const Learner> {
      return std::make_unique<FeatureLearner>(feature_table().read(settings));
    }};

}  // namespace podium
