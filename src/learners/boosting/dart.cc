#include "learners/boosting/dart.h"

#include <algorithm>

#include "core/random.h"

namespace podium {
namespace {

constexpr std::uint64_t kDartStream = 0x64617274;  // "dart"
constexpr std::uint64_t kSkipStream = 0;           // no round's number
constexpr std::size_t kDartChunk = 4096;           // outputs

// to + factor · of.
std::vector<double> added(std::span<const double> to, double factor, std::span<const double> of,
                          ThreadPool& pool) {
  std::vector<double> sum(to.size());
  parallel_for(pool, to.size(), kDartChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) sum[i] = to[i] + factor * of[i];
  });
  return sum;
}

}  // namespace

struct Dart::Step {
  const Forest& forest;  // before the dropped trees shrink
  std::int64_t round;
  const Rounds& dropped;
  const Dataset& data;
};

Dart::Dart(const Setup& setup, Context& context) : setup_(setup), context_(context) {
  train_ = make_forest_scorer(setup.train, setup.outputs, ScorerUse::often, context);
  if (setup.valid)
    valid_ = make_forest_scorer(*setup.valid, setup.outputs, ScorerUse::often, context);
}

std::int64_t Dart::first_round() const {
  return static_cast<std::int64_t>(setup_.given / setup_.outputs) + 1;
}

Dart::Rounds Dart::dropped_in(std::int64_t round) const {
  const std::uint64_t draw =
      mix(mix(context_.seed, kDartStream), static_cast<std::uint64_t>(round));
  Rounds dropped;
  if (Random(draw, kSkipStream).uniform() < setup_.skip) return dropped;
  for (std::int64_t earlier = first_round(); earlier < round; ++earlier)
    if (Random(draw, static_cast<std::uint64_t>(earlier)).uniform() < setup_.rate)
      dropped.push_back(earlier);
  return dropped;
}

std::span<const Tree> Dart::trees_of(const Forest& forest, std::int64_t round) const {
  return std::span(forest.trees)
      .subspan(static_cast<std::size_t>(round - 1) * setup_.outputs, setup_.outputs);
}

// Valid until the scorer is used again.
std::span<const double> Dart::outputs_of(const Rounds& dropped, const Forest& forest,
                                         ForestScorer& scorer, const Dataset& data) const {
  std::vector<Tree> trees;
  for (const std::int64_t round : dropped) {
    const auto of_round = trees_of(forest, round);
    trees.insert(trees.end(), of_round.begin(), of_round.end());
  }
  scorer.start(std::vector<double>(data.documents() * setup_.outputs));
  scorer.add(trees);
  return scorer.outputs();
}

double Dart::share_of_dropped(const Forest& forest, std::int64_t round, std::size_t dropped) const {
  const auto newest = trees_of(forest, round);
  const bool split = std::any_of(newest.begin(), newest.end(),
                                 [](const Tree& tree) { return !tree.nodes.empty(); });
  const auto k = static_cast<double>(dropped);
  return split ? k / (k + setup_.learning_rate) : 1;
}

void Dart::shrink(Forest& forest, const Rounds& dropped, double share) const {
  for (const std::int64_t round : dropped)
    for (std::size_t k = 0; k < setup_.outputs; ++k)
      for (double& value :
           forest.trees[static_cast<std::size_t>(round - 1) * setup_.outputs + k].values)
        value *= share;
}

void Dart::take_out(std::int64_t round, const Forest& forest, TreeGrower& grower) {
  round_ = round;
  dropped_ = dropped_in(round);
  if (dropped_.empty()) return;
  const WorkPhase phase(context_.pool, "dropping trees");
  grower.set_scores(added(grower.scores(), -1, outputs_of(dropped_, forest, *train_, setup_.train),
                          context_.pool));
}

void Dart::put_back(Forest& forest, TreeGrower& grower, ForestScorer* valid) {
  const WorkPhase phase(context_.pool, "dropping trees");
  if (valid) move({forest, round_, dropped_, *setup_.valid}, *valid, *valid_);
  if (dropped_.empty()) return;
  const double share = share_of_dropped(forest, round_, dropped_.size());
  grower.set_scores(added(grower.scores(), share, train_->outputs(), context_.pool));
  shrink(forest, dropped_, share);
}

// What take_out() and put_back() do to the training scores, with any scores.
void Dart::move(const Step& step, ForestScorer& scorer, ForestScorer& of_dropped) const {
  const auto newest = trees_of(step.forest, step.round);
  if (step.dropped.empty()) return scorer.add(newest);
  const auto sum = outputs_of(step.dropped, step.forest, of_dropped, step.data);
  scorer.start(added(scorer.outputs(), -1, sum, context_.pool));
  scorer.add(newest);
  const double share = share_of_dropped(step.forest, step.round, step.dropped.size());
  scorer.start(added(scorer.outputs(), share, sum, context_.pool));
}

void Dart::rewind(Forest& forest, FirstValues& first, std::int64_t rounds) const {
  forest.trees.resize(static_cast<std::size_t>(rounds) * setup_.outputs);
  first.resize(forest.trees.size() - setup_.given);
  for (std::size_t t = 0; t < first.size(); ++t) forest.trees[setup_.given + t].values = first[t];
  for (std::int64_t round = first_round(); round <= rounds; ++round) {
    const Rounds dropped = dropped_in(round);
    shrink(forest, dropped, share_of_dropped(forest, round, dropped.size()));
  }
}

void Dart::replay(const Forest& forest, const FirstValues& first, const Dataset& data,
                  ForestScorer& scorer) const {
  Forest past = forest;
  for (std::size_t t = 0; t < first.size(); ++t) past.trees[setup_.given + t].values = first[t];
  const auto of_dropped = make_forest_scorer(data, setup_.outputs, ScorerUse::often, context_);
  const auto rounds = static_cast<std::int64_t>(past.trees.size() / setup_.outputs);
  for (std::int64_t round = first_round(); round <= rounds; ++round) {
    const Rounds dropped = dropped_in(round);
    move({past, round, dropped, data}, scorer, *of_dropped);
    shrink(past, dropped, share_of_dropped(past, round, dropped.size()));
  }
}

}  // namespace podium
