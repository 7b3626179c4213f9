#include "learners/boosting/boosting.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "core/random.h"
#include "core/spec.h"
#include "learners/boosting/boosted_scores.h"
#include "learners/early_stopping.h"
#include "models/fast_forest.h"
#include "models/forest.h"
#include "podium/error.h"
#include "trees/bin_cache.h"
#include "trees/tree_grower.h"

namespace podium {
namespace {

constexpr std::size_t kDocumentChunk = 16384;
constexpr std::uint64_t kQuerySampling = 0x7175657279;  // a stream of its own

// "3:+1,17:-1" as one sign a feature.
std::vector<std::int8_t> parse_monotone(const std::string& text, const Dataset& data) {
  if (text.empty()) return {};
  std::vector<std::int8_t> signs(data.features(), 0);
  for (const std::string_view item : split_outside_parentheses(text, ',')) {
    const std::size_t colon = item.rfind(':');
    const std::string_view sign = colon == item.npos ? "" : trim(item.substr(colon + 1));
    if (sign != "+1" && sign != "1" && sign != "-1")
      throw Error(ErrorCode::usage,
                  fmt::format("--monotone '{}': write FEATURE:+1 or FEATURE:-1", item));
    const std::string name(trim(item.substr(0, colon)));
    const std::size_t feature = find_features({name}, data).front();
    if (feature >= signs.size())
      throw Error(ErrorCode::usage, fmt::format("--monotone: no feature '{}' in the data", name));
    if (signs[feature] != 0)
      throw Error(ErrorCode::usage, fmt::format("--monotone names feature '{}' twice", name));
    signs[feature] = sign == "-1" ? -1 : 1;
  }
  return signs;
}

std::vector<MeasurePtr> logged_measures(const TrainingProblem& problem) {
  std::vector<MeasurePtr> all = {problem.measure};
  all.insert(all.end(), problem.also_log.begin(), problem.also_log.end());
  return all;
}

class Booster {
 public:
  Booster(const TrainingProblem& problem, const BoostingOptions& options, Context& context,
          const TreeWeight& weight)
      : problem_(problem),
        options_(options),
        context_(context),
        weight_(weight),
        train_(problem.train, *problem.loss, context),
        evaluator_(logged_measures(problem), problem.convention) {}

  TrainingResult run();

 private:
  void check_options() const;
  void start();
  std::vector<double> outputs_of(const Dataset& data, std::span<const double> offset) const;
  TreeOptions tree_options() const;
  bool every_round_sees_all() const {
    return options_.query_fraction == 1 && options_.feature_fraction == 1;
  }
  std::optional<std::vector<std::uint32_t>> sample(std::int64_t round) const;
  enum class Round { grown, nothing_to_split };
  void weigh(GrownTree& grown, std::span<const std::uint32_t> grown_on);
  Round add_round(TreeGrower& grower, std::int64_t round);
  std::vector<double> values_at(const Dataset& data, std::span<const double> outputs) const;
  double training_value();
  std::vector<double> validation_values();
  std::vector<double> validate();
  std::optional<Termination> interrupted() const;

  const TrainingProblem& problem_;
  const BoostingOptions& options_;
  Context& context_;
  const TreeWeight& weight_;
  BoostedScores train_;
  Evaluator evaluator_;
  Forest forest_;
  std::vector<double> valid_outputs_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// Outputs of the forest so far, with the offset.
std::vector<double> Booster::outputs_of(const Dataset& data, std::span<const double> offset) const {
  const std::size_t outputs = train_.outputs();
  std::vector<double> scores = first_outputs(forest_, data, context_.pool);
  if (!offset.empty())
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += offset[i / outputs];
  FastForest(forest_.trees, outputs, forest_.features).add_to(scores, data, context_.pool);
  return scores;
}

// What several outputs a document cannot have, and what a start may break.
void Booster::check_options() const {
  if (!options_.monotone.empty() && (problem_.start.model || problem_.start.offset_feature))
    throw Error(ErrorCode::usage,
                "--monotone holds for trees grown here, not for what --init brings: leave out one");
  if (train_.outputs() == 1) return;
  if (problem_.start.offset_feature || !problem_.start.train_offset.empty())
    throw Error(ErrorCode::usage,
                "--init with scores or a feature needs a loss with one output a document");
  if (!options_.monotone.empty() && train_.loss().link().kind == Link::Kind::softmax)
    throw Error(ErrorCode::usage,
                "--monotone cannot hold for the mean of a softmax: take another loss "
                "(mcrank: --variant ordinal)");
}

void Booster::start() {
  const TrainingProblem::Start& start = problem_.start;
  if (start.model) {
    const auto* forest = std::get_if<Forest>(start.model);
    if (!forest || forest->features != problem_.train.features() ||
        forest->link != train_.loss().link())
      throw Error(ErrorCode::usage,
                  "the model to start from is not a forest with these features and this loss's "
                  "kind of score");
    forest_ = *forest;
  } else {
    forest_.features = problem_.train.features();
    forest_.link = train_.loss().link();
    forest_.base.assign(train_.outputs(), 0.0);
    forest_.offset_feature = start.offset_feature;
  }
  const auto begin = outputs_of(problem_.train, start.train_offset);
  std::copy(begin.begin(), begin.end(), train_.scores().begin());
  const bool fits_constants =
      !start.model && problem_.loss->traits().shift == LossTraits::Shift::sensitive;
  if (fits_constants) {
    forest_.base = train_.best_constants();
    // Again from the base, in the order in which the model will add up.
    const auto moved = outputs_of(problem_.train, start.train_offset);
    std::copy(moved.begin(), moved.end(), train_.scores().begin());
  }
  if (problem_.valid) valid_outputs_ = outputs_of(*problem_.valid, start.valid_offset);
}

TreeOptions Booster::tree_options() const {
  TreeOptions tree;
  tree.leaves = static_cast<int>(options_.leaves);
  tree.max_depth = static_cast<int>(options_.max_depth);
  tree.min_docs = options_.min_docs;
  tree.min_curvature = options_.min_curvature;
  tree.l2 = options_.l2;
  tree.min_gain = options_.min_gain;
  tree.feature_fraction = options_.feature_fraction;
  tree.monotone = parse_monotone(options_.monotone, problem_.train);
  tree.leaf_value = options_.leaf_values == "newton" ? TreeOptions::LeafValue::newton
                                                     : TreeOptions::LeafValue::gradient;
  return tree;
}

// Documents to learn from: those of informative queries, of which a share is drawn by hash. None:
// all there are.
std::optional<std::vector<std::uint32_t>> Booster::sample(std::int64_t round) const {
  const Dataset& data = problem_.train;
  if (options_.query_fraction == 1 && train_.skipped() == 0) return {};
  const std::uint64_t draw = mix(context_.seed ^ kQuerySampling, static_cast<std::uint64_t>(round));
  std::vector<std::uint32_t> documents;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    if (!train_.loss().informative(q)) continue;
    if (options_.query_fraction < 1 &&
        Random(draw, hash_text(data.qid(q))).uniform() >= options_.query_fraction)
      continue;
    for (std::size_t i = data.begin(q); i < data.end(q); ++i)
      documents.push_back(static_cast<std::uint32_t>(i));
  }
  return documents;
}

void Booster::weigh(GrownTree& grown, std::span<const std::uint32_t> grown_on) {
  std::vector<double> tree(grown.leaf_of.size());
  for (std::size_t i = 0; i < tree.size(); ++i) tree[i] = grown.tree.values[grown.leaf_of[i]];
  const double weight = weight_(train_.scores(), tree, grown_on);
  for (double& value : grown.tree.values) value *= weight;
}

Booster::Round Booster::add_round(TreeGrower& grower, std::int64_t round) {
  const std::size_t outputs = train_.outputs();
  const auto scaling = options_.leaf_values == "newton" ? BoostedScores::Scaling::mean_curvature
                                                        : BoostedScores::Scaling::none;
  const auto documents = sample(round);
  std::vector<GrownTree> grown;
  bool split = false;
  for (std::size_t k = 0; k < outputs; ++k) {
    const auto [first, second, unit] = train_.column(k, scaling);
    grown.push_back(
        grower.grow(first, second, documents, static_cast<std::uint64_t>(round) * outputs + k));
    for (double& value : grown[k].tree.values) value *= options_.learning_rate;
    for (Tree::Node& node : grown[k].tree.nodes) node.gain *= unit;
    split = split || !grown[k].tree.nodes.empty();
  }
  if (!split && every_round_sees_all()) return Round::nothing_to_split;
  if (weight_)
    weigh(grown[0], documents ? std::span(*documents) : std::span<const std::uint32_t>());
  const auto scores = train_.scores();
  for (std::size_t k = 0; k < outputs; ++k) {
    parallel_for(context_.pool, problem_.train.documents(), kDocumentChunk,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i)
                     scores[i * outputs + k] += grown[k].tree.values[grown[k].leaf_of[i]];
                 });
    forest_.trees.push_back(std::move(grown[k].tree));
  }
  return Round::grown;
}

// The measures on data whose outputs are known.
std::vector<double> Booster::values_at(const Dataset& data, std::span<const double> all) const {
  const std::size_t outputs = train_.outputs();
  if (outputs == 1) return evaluator_.evaluate(data, all, context_).values;
  std::vector<double> scores(data.documents());
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = forest_.link(all.subspan(i * outputs, outputs));
  return evaluator_.evaluate(data, scores, context_).values;
}

double Booster::training_value() {
  return values_at(problem_.train, train_.scores())[0];
}

// The measures on the validation data, at the outputs so far.
std::vector<double> Booster::validation_values() {
  return values_at(*problem_.valid, valid_outputs_);
}

// The same, once the newest trees are added.
std::vector<double> Booster::validate() {
  const std::size_t outputs = train_.outputs();
  const auto newest = std::span(forest_.trees).last(outputs);
  FastForest(newest, outputs, forest_.features)
      .add_to(valid_outputs_, *problem_.valid, context_.pool);
  return validation_values();
}

// Stop requests and time limits, agreed upon by all ranks.
std::optional<Termination> Booster::interrupted() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  std::array<std::int64_t, 2> wanted = {context_.stop.stop_requested(),
                                        options_.max_seconds > 0 && seconds > options_.max_seconds};
  context_.comm.all_reduce_sum(wanted);
  if (wanted[0]) return Termination::stopped;
  if (wanted[1]) return Termination::time_limit;
  return {};
}

TrainingResult Booster::run() {
  check_options();
  context_.observer.phase("cutting features into bins");
  const BinOptions cutting{.max_bins = static_cast<int>(options_.max_bins)};
  const auto binned = problem_.bins ? problem_.bins->bin(problem_.train, cutting, context_)
                                    : std::make_shared<const BinnedDataset>(
                                          BinnedDataset::bin(problem_.train, cutting, context_));
  TreeGrower grower(*binned, tree_options(), context_);
  start();
  const std::size_t outputs = train_.outputs();
  const auto brought = static_cast<std::int64_t>(forest_.trees.size() / outputs);
  EarlyStopping best(options_.early_stopping);
  if (problem_.valid && brought > 0) best.improves(brought, validation_values()[0]);
  TrainingResult result;
  result.why = Termination::iteration_limit;
  result.skipped_queries = train_.skipped();
  context_.observer.phase("growing trees");
  for (std::int64_t round = brought + 1; round <= brought + options_.trees; ++round) {
    if (const auto why = interrupted()) {
      result.why = *why;
      break;
    }
    Iteration step{round, brought + options_.trees, {}};
    Round grown = Round::nothing_to_split;
    try {
      const auto figure = train_.evaluate();
      step.values.emplace_back(figure.name, figure.value);
      grown = add_round(grower, round);
    } catch (const Error& error) {  // on all ranks alike
      if (error.code() != ErrorCode::training || forest_.trees.empty()) throw;
      context_.observer.note(
          fmt::format("tree {}: {}; the trees before it are kept", round, error.message()));
      result.why = Termination::numerical_limit;
      break;
    }
    if (grown == Round::nothing_to_split) {
      result.why = Termination::converged;
      if (forest_.trees.empty())
        context_.observer.note(
            "no split was worth making (constant features, nothing to gain, or too few documents "
            "for --min-docs): the model is a constant");
      break;
    }
    if (problem_.logged == TrainingProblem::Logged::training_too)
      step.values.emplace_back("train " + problem_.measure->name(), training_value());
    if (problem_.valid) {
      const auto values = validate();
      for (std::size_t m = 0; m < values.size(); ++m)
        step.values.emplace_back("valid " + evaluator_.measures()[m]->name(), values[m]);
      best.improves(round, values[0]);
    }
    context_.observer.iteration(step);
    result.log.push_back(std::move(step));
    if (best.should_stop()) {
      result.why = Termination::early_stopping;
      break;
    }
  }
  if (best.best_round() >= 0)
    forest_.trees.resize(static_cast<std::size_t>(best.best_round()) * outputs);
  result.best_iteration = static_cast<std::int64_t>(forest_.trees.size() / outputs);
  result.model = std::move(forest_);
  return result;
}

}  // namespace

TrainingResult train_by_boosting(const TrainingProblem& problem, const BoostingOptions& options,
                                 Context& context, const TreeWeight& weight) {
  return Booster(problem, options, context, weight).run();
}

}  // namespace podium
