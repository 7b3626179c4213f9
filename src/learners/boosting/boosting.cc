#include "learners/boosting/boosting.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/page_array.h"
#include "data/content.h"
#include "distributed/over_ranks.h"
#include "learners/boosting/bagging.h"
#include "learners/boosting/boosted_loss.h"
#include "learners/boosting/boosted_trees.h"
#include "learners/boosting/dart.h"
#include "learners/boosting/documents_of_round.h"
#include "learners/boosting/first_forest.h"
#include "learners/boosting/options_by_size.h"
#include "learners/checkpoint/checkpoint_models.h"
#include "learners/checkpoint/checkpointing.h"
#include "learners/deadline.h"
#include "learners/early_stopping.h"
#include "learners/loss_work.h"
#include "learners/memory_estimate.h"
#include "models/forest/forest.h"
#include "models/forest/forest_scorer.h"
#include "models/model_kinds.h"
#include "podium/error.h"
#include "trees/bin_cache.h"
#include "trees/tree_grower.h"

namespace podium {
namespace {

std::vector<MeasurePtr> logged_measures(const TrainingProblem& problem) {
  std::vector<MeasurePtr> all = {problem.measure};
  all.insert(all.end(), problem.also_log.begin(), problem.also_log.end());
  return all;
}

LossView view_of(const Dataset& data, const BoostingOptions& options,
                 std::vector<double> query_counts, Context& context) {
  LossView view{std::move(query_counts)};
  if (options.noise > 0)
    view.noise.emplace(labels_in_content_order(data), options.noise, options.noise_draws, context);
  return view;
}

// What the rounds so far have come to; scores follow from the forest.
struct BoostingState {
  Forest forest;
  EarlyStopping best;
  std::vector<Iteration> log = {};
  std::vector<double> of_loss = {};  // LossState::values()
  Dart::FirstValues first_values = {};
  template <class Archive, class Self>
  static void fields(Archive& archive, Self& self) {
    archive(self.forest, self.best, self.log, self.of_loss, self.first_values);
  }
};

class TreeBooster {
 public:
  TreeBooster(const TrainingProblem& problem, const Loss& loss, const BoostingOptions& options,
              Context& context, const TreeWeigher& weigher, std::vector<double> query_counts)
      : problem_(problem),
        loss_(loss),
        options_(options),
        context_(context),
        weigher_(weigher),
        boosted_(problem.train, loss,
                 view_of(problem.train, options, std::move(query_counts), context), context),
        evaluator_(logged_measures(problem), problem.convention),
        state_{{}, EarlyStopping(options.early_stopping)},
        deadline_(options.max_seconds) {
    if (options.dart > 0)
      dart_.emplace(Dart::Setup{options.dart, options.learning_rate, options.dart_skip,
                                boosted_.outputs(), given(), problem.train, problem.valid},
                    context);
  }

  TrainingResult run();

 private:
  // Trees that training starts from.
  std::size_t given() const {
    return problem_.start.model ? tree_count(*problem_.start.model).value_or(0) : 0;
  }
  void start();
  void score_forest();
  std::int64_t rounds() const {
    return static_cast<std::int64_t>(state_.forest.trees.size() / boosted_.outputs());
  }
  std::unique_ptr<ForestScorer> scorer_of(const Dataset& data, std::span<const double> offset,
                                          ScorerUse use) const;
  bool next_round_sees_no_more() const {
    return options_.query_fraction == 1 && options_.feature_fraction == 1 &&
           !(dart_ && dart_->drops());
  }
  enum class Round { grown, nothing_to_split, no_longer_finite, stopped };
  Round add_round_or_stop(std::int64_t last);
  Round grow(std::int64_t round);
  void keep_rounds(std::int64_t rounds);
  void weigh(Tree& tree, std::span<const std::uint32_t> grown_on);
  Round add_round(std::int64_t last);
  Termination add_rounds(std::int64_t last);
  std::vector<double> values_at(const Dataset& data, std::span<const double> outputs) const;
  double training_value();
  std::vector<double> validation_values();
  std::vector<double> validate();

  const TrainingProblem& problem_;
  const Loss& loss_;
  const BoostingOptions& options_;
  Context& context_;
  const TreeWeigher& weigher_;
  std::unique_ptr<TreeGrower> grower_;  // outlives the loss, which may use its device
  BoostedLoss boosted_;
  Evaluator evaluator_;
  BoostingState state_;
  std::optional<Dart> dart_;
  std::unique_ptr<ForestScorer> valid_;  // the forest so far on the validation data
  Deadline deadline_;
};

// The outputs of the forest so far, with the offset.
std::unique_ptr<ForestScorer> TreeBooster::scorer_of(const Dataset& data,
                                                     std::span<const double> offset,
                                                     ScorerUse use) const {
  const std::size_t outputs = boosted_.outputs();
  std::vector<double> first = first_outputs(state_.forest, data, context_.pool);
  if (!offset.empty())
    for (std::size_t i = 0; i < first.size(); ++i) first[i] += offset[i / outputs];
  auto scorer = make_forest_scorer(data, outputs, use, context_);
  scorer->start(std::move(first));
  if (!dart_) {
    scorer->add(state_.forest.trees);
  } else if (!state_.forest.trees.empty()) {
    scorer->add(std::span(state_.forest.trees).first(given()));
    dart_->replay(state_.forest, state_.first_values, data, *scorer);
  }
  return scorer;
}

// The outputs in the order in which the model will add up.
void TreeBooster::score_forest() {
  const auto use = dart_ ? ScorerUse::often : ScorerUse::once;  // it adds trees round by round
  const auto scorer = scorer_of(problem_.train, problem_.start.train_offset, use);
  grower_->set_scores(scorer->outputs());
}

void TreeBooster::start() {
  const bool goes_on = resume(context_, state_, deadline_);
  if (!goes_on) {
    state_.forest = first_forest(problem_.start, problem_.train, boosted_);
    if (!problem_.start.model && loss_.traits().shift == LossTraits::Shift::sensitive) {
      score_forest();
      state_.forest.base = boosted_.best_constants(*grower_);
    }
  }
  if (LossState* const state = boosted_.bound().state(); state && goes_on)
    state->restore(state_.of_loss);
  score_forest();
  if (!problem_.valid) return;
  valid_ = scorer_of(*problem_.valid, problem_.start.valid_offset, ScorerUse::often);
  if (!goes_on && rounds() > 0) state_.best.improves(rounds(), validation_values()[0]);
}

TreeBooster::Round TreeBooster::grow(std::int64_t round) {
  const std::size_t outputs = boosted_.outputs();
  const auto documents =
      documents_of_round(problem_.train, boosted_, options_.query_fraction, round, context_);
  std::vector<Tree> grown;
  bool split = false;
  for (std::size_t k = 0; k < outputs; ++k) {
    grown.push_back(grower_->grow({k, documents, static_cast<std::uint64_t>(round) * outputs + k}));
    for (double& value : grown[k].values) value *= options_.learning_rate;
    split = split || !grown[k].nodes.empty();
  }
  if (!split && next_round_sees_no_more()) return Round::nothing_to_split;
  if (weigher_)
    weigh(grown[0], documents ? std::span(*documents) : std::span<const std::uint32_t>());
  for (std::size_t k = 0; k < outputs; ++k) {
    if (dart_) {
      for (double& value : grown[k].values) value *= dart_->share_of_new();
      state_.first_values.push_back(grown[k].values);
    }
    grower_->add(k, grown[k].values);
    state_.forest.trees.push_back(std::move(grown[k]));
  }
  if (dart_) dart_->put_back(state_.forest, *grower_, valid_.get());
  return Round::grown;
}

// Takes the rounds after these back.
void TreeBooster::keep_rounds(std::int64_t rounds) {
  if (dart_)
    dart_->rewind(state_.forest, state_.first_values, rounds);
  else
    state_.forest.trees.resize(static_cast<std::size_t>(rounds) * boosted_.outputs());
}

void TreeBooster::weigh(Tree& tree, std::span<const std::uint32_t> grown_on) {
  weigher_(grower_->scores(),
           {tree.values, grown_on, [this](std::span<const double> of, std::span<double> out) {
              grower_->look_up(0, of, out);
            }});
}

// The measures on data whose outputs are known.
std::vector<double> TreeBooster::values_at(const Dataset& data, std::span<const double> all) const {
  const std::size_t outputs = boosted_.outputs();
  if (outputs == 1) return evaluator_.evaluate(data, all, context_).values;
  std::vector<double> scores(data.documents());
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = state_.forest.link(all.subspan(i * outputs, outputs));
  return evaluator_.evaluate(data, scores, context_).values;
}

double TreeBooster::training_value() {
  return values_at(problem_.train, grower_->scores())[0];
}

// The measures on the validation data, at the outputs so far.
std::vector<double> TreeBooster::validation_values() {
  return values_at(*problem_.valid, valid_->outputs());
}

// The same, once the newest trees are added.
std::vector<double> TreeBooster::validate() {
  const WorkPhase phase(context_.pool, "validation");
  if (!dart_) valid_->add(std::span(state_.forest.trees).last(boosted_.outputs()));
  return validation_values();
}

TreeBooster::Round TreeBooster::add_round(std::int64_t last) {
  Iteration step{rounds() + 1, last, {}};
  try {
    if (dart_) dart_->take_out(step.number, state_.forest, *grower_);
    const auto figure = boosted_.evaluate(*grower_, step.number);
    step.values.emplace_back(figure.name, figure.value);
    if (grow(step.number) == Round::nothing_to_split) return Round::nothing_to_split;
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {  // the same on all ranks
    if (error.code() != ErrorCode::training || state_.forest.trees.empty()) throw;
    context_.observer.note(
        fmt::format("tree {}: {}; the trees before it are kept", step.number, error.message()));
    return Round::no_longer_finite;
  }
  boosted_.advance(*grower_, state_.of_loss);
  if (problem_.logged == TrainingProblem::Logged::training_too)
    step.values.emplace_back("train " + problem_.measure->name(), training_value());
  if (problem_.valid) {
    const auto values = validate();
    for (std::size_t m = 0; m < values.size(); ++m)
      step.values.emplace_back("valid " + evaluator_.measures()[m]->name(), values[m]);
    state_.best.improves(step.number, values[0]);
  }
  context_.observer.iteration(step);
  state_.log.push_back(std::move(step));
  return Round::grown;
}

// A stop request inside a list takes the round back.
TreeBooster::Round TreeBooster::add_round_or_stop(std::int64_t last) {
  const std::int64_t before = rounds();
  try {
    return add_round(last);
  } catch (const Stopped&) {
    keep_rounds(before);
    return Round::stopped;
  }
}

Termination TreeBooster::add_rounds(std::int64_t last) {
  while (!state_.best.should_stop() && rounds() < last) {
    if (const auto why = deadline_.reached(context_)) {
      keep(context_, state_, deadline_);
      if (*why == Termination::stopped && state_.forest.trees.empty()) throw Stopped();
      return *why;
    }
    switch (add_round_or_stop(last)) {
      case Round::no_longer_finite:
        return Termination::numerical_limit;
      case Round::nothing_to_split:
        return Termination::converged;
      case Round::stopped:
        keep(context_, state_, deadline_);
        if (state_.forest.trees.empty()) throw Stopped();
        return Termination::stopped;
      case Round::grown:
        break;
    }
    keep_if_due(context_, state_, deadline_);
  }
  return state_.best.should_stop() ? Termination::early_stopping : Termination::iteration_limit;
}

TrainingResult TreeBooster::run() {
  check_start(problem_.start, options_, boosted_);
  context_.observer.phase("cutting features into bins");
  const auto began = std::chrono::steady_clock::now();
  const BinOptions cutting{.max_bins = static_cast<int>(options_.max_bins),
                           .max_category_bins = static_cast<int>(options_.max_category_bins),
                           .min_category_docs = options_.min_category_docs};
  const auto binned = problem_.bins ? problem_.bins->bin(problem_.train, cutting, context_)
                                    : std::make_shared<const BinnedDataset>(
                                          BinnedDataset::bin(problem_.train, cutting, context_));
  const std::chrono::duration<double> cut = std::chrono::steady_clock::now() - began;
  grower_ = make_tree_grower({.data = *binned,
                              .options = tree_options(options_, problem_.train),
                              .outputs = boosted_.outputs(),
                              .counted_documents = boosted_.documents()},
                             context_);
  boosted_.use_device(*grower_);
  note_work(loss_, problem_.train, options_.trees, context_);
  start();
  return_freed_memory();  // of what was needed once, before the trees need their own
  const auto brought = static_cast<std::int64_t>(given() / boosted_.outputs());
  context_.observer.phase("growing trees");
  TrainingResult result;
  result.termination = add_rounds(brought + options_.trees);
  result.bin_seconds = cut.count();
  result.if_constant =
      "no split was worth making: nothing to gain, or too few documents for ‹min-docs›";
  result.log = std::move(state_.log);
  result.skipped_queries = count_over_ranks(boosted_.skipped(), context_.comm);
  Forest& forest = state_.forest;
  if (state_.best.best_round() >= 0) keep_rounds(state_.best.best_round());
  result.best_iteration = rounds();
  result.model = std::move(forest);
  return result;
}

}  // namespace

TrainingResult train_by_boosting(const TrainingProblem& problem, const Loss& loss,
                                 const BoostingOptions& options, Context& context,
                                 const TreeWeigher& weigher, std::vector<double> query_counts) {
  const BoostingOptions settled = options_by_size(options, problem.train, context);
  TrainingResult result =
      options.bag > 1
          ? train_bagged(problem, loss, settled, context, weigher)
          : TreeBooster(problem, loss, settled, context, weigher, std::move(query_counts)).run();
  if (options.leaves == 0)
    result.chosen.emplace_back("leaves", static_cast<double>(settled.leaves));
  return result;
}

// The bins.
MemoryNeed memory_of_boosting(const Dataset& train) {
  return memory_for({.per_dense_value = 1, .per_sparse_value = 4}, train);
}

}  // namespace podium
