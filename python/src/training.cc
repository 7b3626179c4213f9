#include "training.h"

#include <algorithm>
#include <span>

#include "core/overloaded.h"
#include "models/forest/fast_forest.h"
#include "models/forest/forest.h"
#include "podium/error.h"

namespace podium::python {
namespace {

void require_validation_scores(const TrainingSpec& spec, const Dataset* valid) {
  const auto* const scores = std::get_if<TrainingSpec::StartScores>(&spec.start);
  if (scores && valid && scores->valid.empty())
    throw Error(ErrorCode::usage, "init has scores for X: give eval_init for eval_set too");
}

// Adds the values on watched data after each kept round to the log. Only forests can be divided
// into rounds; for other models the values are those of the model itself.
class WatchedCurves {
 public:
  WatchedCurves(const TrainingRequest& request, Context& context)
      : evaluator_(request.measures, request.convention), context_(context) {}

  void add(const std::string& name, const Dataset& data, const Model& model,
           TrainingResult& result) const {
    std::visit(Overloaded{[](const Linear&) {},
                          [&](const Forest& forest) { add_rounds(name, data, forest, result); },
                          [](const Mlp&) {}, [](const Blend&) {}},
               model);
  }

  std::map<std::string, double> last(const Model& model, const Dataset& data) const {
    std::map<std::string, double> values;
    const Evaluation found = evaluator_.evaluate(data, score(model, data, context_), context_);
    for (std::size_t m = 0; m < found.values.size(); ++m)
      values[found.measures[m]] = found.values[m];
    return values;
  }

 private:
  void add_rounds(const std::string& name, const Dataset& data, const Forest& forest,
                  TrainingResult& result) const {
    const std::size_t width = forest.base.size();
    const std::size_t kept = forest.trees.size() / width;
    if (static_cast<std::size_t>(result.best_iteration) != kept || result.log.empty()) return;
    const auto first = static_cast<std::size_t>(result.log.front().number - 1);  // of the start
    std::vector<double> outputs = first_outputs(forest, data, context_.pool);
    const auto grow = [&](std::size_t begin, std::size_t count) {
      FastForest(std::span(forest.trees).subspan(begin * width, count * width), width,
                 forest.features)
          .add_to(outputs, data, context_.pool);
    };
    if (first > 0) grow(0, first);
    for (std::size_t round = first; round < kept && !context_.stop.stop_requested(); ++round) {
      grow(round, 1);
      const auto values = evaluator_.evaluate(data, linked(forest, outputs), context_).values;
      for (std::size_t m = 0; m < values.size(); ++m)
        result.log[round - first].values.emplace_back(name + " " + evaluator_.measures()[m]->name(),
                                                      values[m]);
    }
  }

  static std::vector<double> linked(const Forest& forest, const std::vector<double>& outputs) {
    const std::size_t width = forest.base.size();
    std::vector<double> scores(outputs.size() / width);
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] = forest.link(std::span(outputs).subspan(i * width, width));
    return scores;
  }

  Evaluator evaluator_;
  Context& context_;
};

}  // namespace

TrainingAnswer train(const TrainingRequest& request, const TrainingInput& input, Context& context) {
  require_validation_scores(request, input.valid);
  choose_learner(request);
  const PreparedData prepared = prepare(request, input.train, input.valid, context);
  TrainingAnswer answer{podium::train(request, prepared, context), {}};
  if (context.stop.stop_requested()) return answer;
  const WatchedCurves curves(request, context);
  for (const auto& [name, data] : input.watched) {
    const Dataset rows = apply(prepared.transform, *data, context);
    curves.add(name, rows, answer.trained.model.model, answer.trained.result);
    answer.watched[name] = curves.last(answer.trained.model.model, rows);
  }
  return answer;
}

}  // namespace podium::python
