#include "training.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "core/overloaded.h"
#include "data/shares/qids_over_ranks.h"
#include "data/shares/storage.h"
#include "distributed/on_every_rank.h"
#include "distributed/over_ranks.h"
#include "learners/checkpoint/checkpoint_file.h"
#include "models/forest/forest.h"
#include "models/forest/forest_scorer.h"
#include "podium/error.h"
#include "podium/version.h"

namespace podium::python {
namespace {

void require_validation_scores(const TrainingSpec& spec, const Dataset* valid) {
  const auto* const scores = std::get_if<TrainingSpec::StartScores>(&spec.start);
  if (scores && valid && scores->valid.empty())
    throw Error(ErrorCode::usage, "init has scores for X: give eval_init for eval_set too");
}

// A worker's part of the data, stored as all workers store theirs. Throws the same Error on every
// worker if the parts do not fit together.
Dataset part_of_whole(const Dataset& mine, Context& context) {
  if (context.comm.size() == 1) return mine;
  if (const auto split = find_split_query(mine, context.comm))
    throw Error(ErrorCode::data,
                fmt::format("qid {} is on worker {} and on worker {}: all rows of a query must be "
                            "on one worker",
                            split->qid, split->first, split->second));
  return with_common_storage(mine, fmt::format("worker {}", context.comm.rank()), context);
}

// The file of the request, from which training resumes if it exists; null if none is wanted.
std::unique_ptr<CheckpointFile> open_checkpoint(const TrainingRequest& request,
                                                const PreparedData& data, Context& context) {
  if (request.checkpoint.empty()) return nullptr;
  auto file = std::make_unique<CheckpointFile>(
      CheckpointFile::Options{request.checkpoint, request.checkpoint_seconds, PODIUM_VERSION},
      identity_of(request, data, context), context);
  std::error_code ignored;
  const bool exists =
      context.comm.rank() == 0 && std::filesystem::exists(request.checkpoint, ignored);
  if (on_any_rank(exists, context.comm))
    file->resume();
  else
    file->begin_anew();
  return file;
}

Trained train_with_checkpoints(const TrainingRequest& request, const PreparedData& data,
                               Context context) {
  const auto checkpoints = open_checkpoint(request, data, context);
  context.checkpoints = checkpoints.get();
  Trained trained = podium::train(request, data, context);
  if (checkpoints && trained.result.termination != Termination::stopped) checkpoints->remove();
  return trained;
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
    const auto scorer = make_forest_scorer(data, width, podium::ScorerUse::often, context_);
    scorer->start(first_outputs(forest, data, context_.pool));
    const auto grow = [&](std::size_t begin, std::size_t count) {
      scorer->add(std::span(forest.trees).subspan(begin * width, count * width));
    };
    if (first > 0) grow(0, first);
    for (std::size_t round = first; round < kept && !stopped(); ++round) {
      grow(round, 1);
      const auto values =
          evaluator_.evaluate(data, linked(forest, scorer->outputs()), context_).values;
      for (std::size_t m = 0; m < values.size(); ++m)
        result.log[round - first].values.emplace_back(name + " " + evaluator_.measures()[m]->name(),
                                                      values[m]);
    }
  }

  bool stopped() const { return on_any_rank(context_.stop.stop_requested(), context_.comm); }

  static std::vector<double> linked(const Forest& forest, std::span<const double> outputs) {
    const std::size_t width = forest.base.size();
    std::vector<double> scores(outputs.size() / width);
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] = forest.link(outputs.subspan(i * width, width));
    return scores;
  }

  Evaluator evaluator_;
  Context& context_;
};

}  // namespace

TrainingAnswer train(const TrainingRequest& request, const TrainingInput& input, Context& context) {
  require_validation_scores(request, input.valid);
  choose_learner(request);
  const Dataset mine = part_of_whole(input.train, context);
  std::optional<Dataset> valid;
  if (input.valid) valid = part_of_whole(*input.valid, context);
  const PreparedData prepared = prepare(request, mine, valid ? &*valid : nullptr, context);
  TrainingAnswer answer{train_with_checkpoints(request, prepared, context), {}};
  if (on_any_rank(context.stop.stop_requested(), context.comm)) return answer;
  const WatchedCurves curves(request, context);
  for (const auto& [name, data] : input.watched) {
    const Dataset rows = apply(prepared.transform, part_of_whole(*data, context), context);
    curves.add(name, rows, answer.trained.model.model, answer.trained.result);
    answer.watched[name] = curves.last(answer.trained.model.model, rows);
  }
  return answer;
}

}  // namespace podium::python
