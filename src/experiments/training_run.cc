#include "experiments/training_run.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "core/random.h"
#include "learners/memory_estimate.h"
#include "learners/training_record.h"
#include "trees/bin_cache.h"

namespace podium {
namespace {

constexpr std::uint64_t kSubset = 0x737562736574;  // "subset": a stream of its own

// Keeps what a trainer reports; notes go on to the one who watches.
class Recorder final : public Observer {
 public:
  explicit Recorder(Observer& outer) : outer_(outer) {}
  void iteration(const Iteration& step) override { steps_.push_back(step); }
  void note(std::string_view text) override { outer_.note(text); }
  std::vector<Iteration> take() { return std::move(steps_); }

 private:
  Observer& outer_;
  std::vector<Iteration> steps_;
};

// Training queries for the shares of successive halving: each holds the smaller ones.
class Subsets {
 public:
  struct Subset {
    Dataset train;
    std::shared_ptr<BinCache> bins;
  };
  Subsets(const PreparedFold::View& data, std::uint64_t seed) : data_(data), seed_(seed) {}

  Subset of(double share) {
    if (share == 1) return {data_.train, data_.bins};
    const std::scoped_lock lock(mutex_);
    Subset& subset = known_[share];
    if (subset.bins) return subset;
    std::vector<std::size_t> queries(data_.train.queries());
    std::iota(queries.begin(), queries.end(), std::size_t{0});
    Random(seed_, kSubset).shuffle(std::span(queries));
    queries.resize(std::max<std::size_t>(
        1, static_cast<std::size_t>(share * static_cast<double>(queries.size()))));
    std::sort(queries.begin(), queries.end());
    subset = {select_queries(data_.train, queries), std::make_shared<BinCache>()};
    return subset;
  }

 private:
  const PreparedFold::View& data_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::map<double, Subset> known_;
};

// Refers to the subset and the validation data.
TrainingProblem problem_for(const TrainingTerms& terms, const Subsets::Subset& subset,
                            const Dataset& valid, std::shared_ptr<const Loss> loss) {
  TrainingProblem problem{subset.train, &valid, terms.measures[0], terms.convention,
                          std::move(loss)};
  problem.bins = subset.bins;
  return problem;
}

Tuned search_options(const System& system, const TrainingTerms& terms,
                     const PreparedFold::View& data, Context& context) {
  const Entry<Learner>& entry = learners().at(system.learner);
  Subsets subsets(data, context.seed);
  const auto run = [&](const Assignments& options, double share) {
    const auto learner = entry.make(settings_of(system, options));
    const auto subset = subsets.of(share);
    const TrainingProblem problem =
        problem_for(terms, subset, data.valid, loss_of(system, *learner));
    Observer silent;
    Context trial{context.seed, context.pool, context.comm, silent, context.stop};
    const TrainingResult result = learner->train(problem, trial);
    return evaluate(problem.measure, problem.convention, data.valid,
                    score(result.model, data.valid, context.pool), trial);
  };
  return tune(search_space(entry.options(), settings_of(system)), *terms.tuning,
              data.train.queries(), run, context);
}

}  // namespace

TransformOptions preparation_of(const System& system, const TrainingTerms& terms) {
  TransformOptions steps = learners().at(system.learner).make(settings_of(system))->preparation();
  for (const std::string& normalize : {terms.normalize, system.normalize})
    if (!normalize.empty()) steps.normalize = parse_normalization(normalize);
  for (const std::int64_t bins : {terms.bins, system.bins})
    if (bins > 0) steps.bins = bins;
  for (const std::string& rule : {terms.bin_rule, system.bin_rule})
    if (!rule.empty()) steps.bin_rule = parse_bin_rule(rule);
  if (!system.features.empty()) steps.features = system.features;
  return steps;
}

std::optional<TrainingRun> train_system(const System& system, const TrainingTerms& terms,
                                        const PreparedFold::View& data, Context& context) {
  TrainingRun run;
  note_memory(system.learner, settings_of(system), data.train, context.observer);
  if (context.stop.stop_requested()) return {};
  const bool searches =
      !search_space(learners().at(system.learner).options(), settings_of(system)).empty();
  if (terms.tuning && searches) {
    Tuned tuned = search_options(system, terms, data, context);
    if (context.stop.stop_requested()) return {};
    run.found = tuned.trials[tuned.best].options;
    run.trials = std::move(tuned.trials);
  }
  const Settings settings = settings_of(system, run.found);
  const auto learner = learners().at(system.learner).make(settings);
  const auto loss = loss_of(system, *learner);
  const Subsets::Subset all{data.train, data.bins};
  TrainingProblem problem = problem_for(terms, all, data.valid, loss);
  problem.logged = TrainingProblem::Logged::training_too;
  Recorder recorder(context.observer);
  Context inner{context.seed, context.pool, context.comm, recorder, context.stop};
  try {
    run.result = learner->train(problem, inner);
  } catch (const Stopped&) {
    return {};
  }
  if (context.stop.stop_requested()) return {};
  run.reports = recorder.take();
  if (terms.tuning && !searches)  // chooses by itself, or has nothing to choose
    run.trials = {{{},
                   evaluate(problem.measure, problem.convention, data.valid,
                            score(run.result.model, data.valid, context.pool), inner),
                   {},
                   1,
                   1}};
  run.saved = record_of(system.learner, settings, data.transform, problem,
                        totals_of(data.train, context), run.result, context);
  return run;
}

}  // namespace podium
