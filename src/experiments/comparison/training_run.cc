#include "experiments/comparison/training_run.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "core/random.h"
#include "learners/label_check.h"
#include "learners/memory_estimate.h"
#include "trees/bin_cache.h"

namespace podium {
namespace {

constexpr std::uint64_t kSubset = 0x737562736574;  // "subset": a separate random stream

// Keeps a trainer's reports; passes notes on to the observer.
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

// Training queries for the fractions of successive halving: each subset contains the smaller ones.
class Subsets {
 public:
  Subsets(const PreparedData& all, std::uint64_t seed) : all_(all), seed_(seed) {}

  PreparedData of(double share) {
    if (share == 1) return all_;
    const std::scoped_lock lock(mutex_);
    const auto [place, is_new] = known_.try_emplace(share, all_);
    PreparedData& subset = place->second;
    if (!is_new) return subset;
    std::vector<std::size_t> queries(all_.train.queries());
    std::iota(queries.begin(), queries.end(), std::size_t{0});
    const std::uint64_t stream = mix(seed_, kSubset);
    std::vector<std::uint64_t> keys;
    for (const std::size_t q : queries) keys.push_back(mix(stream, all_.train.query_key(q)));
    std::sort(queries.begin(), queries.end(),
              [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    queries.resize(std::max<std::size_t>(
        1, static_cast<std::size_t>(share * static_cast<double>(queries.size()))));
    std::sort(queries.begin(), queries.end());
    subset.train = select_queries(all_.train, queries);
    subset.bins = std::make_shared<BinCache>();
    return subset;
  }

 private:
  const PreparedData& all_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::map<double, PreparedData> known_;
};

// The spec of the system under the comparison's terms.
TrainingSpec spec_under(const System& system, const TrainingTerms& terms, const Assignments& more) {
  TrainingSpec spec = spec_of(system, more);
  spec.convention = terms.convention;
  spec.measures = {terms.measures[0]};
  return spec;
}

double validation_value(const TrainingSpec& spec, const Model& model, const Dataset& valid,
                        Context& context) {
  return evaluate(spec.measures[0], spec.convention, valid, score(model, valid, context), context);
}

Tuned search_options(const System& system, const TrainingTerms& terms, const PreparedData& data,
                     Context& context) {
  const Entry<Learner>& entry = learners().at(system.learner);
  require_grades(choose_learner(spec_of(system)), data.train, context.comm);
  note_memory(system.learner, *choose_learner(spec_of(system)).learner, data.train,
              context.observer);
  Subsets subsets(data, context.seed);
  const auto run = [&](const Assignments& options, double share) {
    const TrainingSpec spec = spec_under(system, terms, options);
    const PreparedData subset = subsets.of(share);
    Observer silent;
    Context trial{context.seed, context.pool, context.comm,  silent,
                  context.stop, nullptr,      context.device};
    const TrainingResult result =
        choose_learner(spec).learner->train(problem_of(spec, subset), trial);
    return validation_value(spec, result.model, *data.valid, trial);
  };
  return tune(search_space(entry.options(), settings_of(system)), *terms.tuning,
              data.train.queries(), run, context);
}

}  // namespace

TransformOptions preparation_of(const System& system, const TrainingTerms& terms) {
  const TrainingSpec spec = spec_of(system);
  const auto learner = choose_learner(spec).learner;
  return preparation_steps(*learner, preparation_under(terms.preparation, spec.preparation));
}

std::optional<TrainingRun> train_system(const System& system, const TrainingTerms& terms,
                                        const PreparedFold::View& data, Context& context) {
  TrainingRun run;
  if (context.stop.stop_requested()) return {};
  const bool searches =
      !search_space(learners().at(system.learner).options(), settings_of(system)).empty();
  if (terms.tuning && searches) {
    Tuned tuned = search_options(system, terms, data, context);
    if (context.stop.stop_requested()) return {};
    run.found = tuned.trials[tuned.best].options;
    run.trials = std::move(tuned.trials);
  }
  TrainingSpec spec = spec_under(system, terms, run.found);
  spec.logged = TrainingProblem::Logged::training_too;
  Recorder recorder(context.observer);
  Context inner{context.seed, context.pool, context.comm,  recorder,
                context.stop, nullptr,      context.device};
  try {
    require_grades(choose_learner(spec), data.train, inner.comm);
    note_training_labels(choose_learner(spec), {}, data.train, inner);  // of measures: the caller
    Trained trained = train(spec, data, inner);
    run.saved = std::move(trained.model);
    run.saved.training.validation.clear();  // the cell has the values of all measures
    run.result = std::move(trained.result);
  } catch (const Stopped&) {
    return {};
  }
  if (context.stop.stop_requested()) return {};
  run.reports = recorder.take();
  if (terms.tuning && !searches) {  // chooses by itself, or has no options to choose
    const double value = validation_value(spec, run.result.model, *data.valid, inner);
    run.trials = {{{}, value, {}, 1, 1}};
  }
  return run;
}

}  // namespace podium
