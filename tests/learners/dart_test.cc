// DART against a short implementation that adds up the whole forest in every round.
#include "learners/boosting/dart.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "core/random.h"
#include "learners/boosting/boosted_trees.h"
#include "learners/train_on_toys.h"
#include "models/forest/forest.h"
#include "models/model_kinds.h"
#include "podium/error.h"

namespace podium::dart_test {
namespace {

using testing::Bench;
using testing::noisy_linear;
using testing::train;

constexpr std::uint64_t kSeed = 1;

Forest forest_of(const TrainingResult& result) {
  return require_forest(result.model, Error(ErrorCode::training, "not a forest"));
}

bool is_dropped(std::size_t earlier, std::size_t round, const BoostingOptions& options) {
  const std::uint64_t draw = mix(mix(kSeed, 0x64617274), round);
  return Random(draw, 0).uniform() >= options.dart_skip &&
         Random(draw, earlier).uniform() < options.dart;
}

// Squared error: the derivatives are score − label and 1.
class NaiveDart {
 public:
  NaiveDart(const Dataset& data, const BoostingOptions& options)
      : data_(data),
        options_(options),
        binned_(BinnedDataset::bin(data, {}, bench_.context)),
        grower_(make_tree_grower({.data = binned_,
                                  .options = tree_options(options, data),
                                  .outputs = 1,
                                  .counted_documents = static_cast<double>(data.documents())},
                                 bench_.context)) {
    forest_.features = data.features();
    const auto labels = data.labels();
    forest_.base = {std::accumulate(labels.begin(), labels.end(), 0.0) /
                    static_cast<double>(labels.size())};
  }

  Forest run() {
    for (std::size_t round = 1; round <= static_cast<std::size_t>(options_.trees); ++round)
      add_round(round);
    return forest_;
  }

 private:
  void add_round(std::size_t round) {
    std::vector<std::size_t> dropped;
    Forest kept = forest_;
    kept.trees.clear();
    for (std::size_t t = 0; t < forest_.trees.size(); ++t)
      if (is_dropped(t + 1, round, options_))
        dropped.push_back(t);
      else
        kept.trees.push_back(forest_.trees[t]);
    const auto scores = score_plainly(kept, data_, bench_.pool);
    const auto derivatives = grower_->derivatives();
    for (std::size_t i = 0; i < scores.size(); ++i) {
      derivatives.first[i] = scores[i] - static_cast<double>(data_.labels()[i]);
      derivatives.second[i] = 1;
    }
    Tree grown = grower_->grow({.number = round});
    const auto k = static_cast<double>(dropped.size());
    for (double& value : grown.values)
      value *=
          k > 0 ? options_.learning_rate / (k + options_.learning_rate) : options_.learning_rate;
    for (const std::size_t t : dropped)
      for (double& value : forest_.trees[t].values) value *= k / (k + options_.learning_rate);
    forest_.trees.push_back(std::move(grown));
  }

  const Dataset& data_;
  const BoostingOptions& options_;
  Bench bench_;
  BinnedDataset binned_;
  std::unique_ptr<TreeGrower> grower_;
  Forest forest_;
};

TEST(Dart, EqualsANaiveImplementation) {
  const Dataset data = noisy_linear(30, 15, 4, 7);
  for (const double rate : {0.0, 0.2, 0.7, 1.0}) {
    BoostingOptions options;
    options.learning_rate = rate == 0.7 ? 1 : 0.1;
    options.trees = 15;
    options.leaves = 6;
    options.min_docs = 5;
    options.dart = rate;
    options.dart_skip = rate == 1 ? 0 : 0.3;
    const Forest naive = NaiveDart(data, options).run();
    Bench bench(2);
    const TrainingProblem problem{data, nullptr,
                                  parse_measure("nDCG@5", testing::podium_convention()),
                                  testing::podium_convention()};
    const Forest forest =
        forest_of(train_by_boosting(problem, *parse_loss("squared"), options, bench.context));
    EXPECT_NEAR(forest.base[0], naive.base[0], 1e-9);
    ASSERT_EQ(forest.trees.size(), naive.trees.size()) << rate;
    for (std::size_t t = 0; t < naive.trees.size(); ++t) {
      const Tree &a = forest.trees[t], &b = naive.trees[t];
      ASSERT_EQ(a.values.size(), b.values.size()) << rate << " tree " << t;
      for (std::size_t n = 0; n < a.nodes.size(); ++n) {
        EXPECT_EQ(a.nodes[n].feature, b.nodes[n].feature);
        EXPECT_EQ(a.nodes[n].threshold, b.nodes[n].threshold);
      }
      for (std::size_t leaf = 0; leaf < a.values.size(); ++leaf)
        EXPECT_NEAR(a.values[leaf], b.values[leaf], 1e-9) << rate << " tree " << t;
    }
  }
}

bool same_values(const Forest& a, const Forest& b) {
  return std::equal(a.trees.begin(), a.trees.end(), b.trees.begin(), b.trees.end(),
                    [](const Tree& x, const Tree& y) { return x.values == y.values; });
}

// Later rounds shrink earlier trees; early stopping returns them as they were.
TEST(Dart, TheBestRoundsForestIsThatOfATrainingThatEndedThere) {
  const Dataset data = noisy_linear(40, 20, 5, 1), valid = noisy_linear(40, 20, 5, 2);
  for (const std::string learner : {"lambdamart", "mcrank"}) {
    Assignments options = {{"trees", "100"},        {"leaves", "8"}, {"min-docs", "5"},
                           {"early-stopping", "8"}, {"dart", "0.3"}, {"learning-rate", "0.5"}};
    const auto stopped = train(learner, data, options, "nDCG@5", &valid);
    ASSERT_EQ(stopped.termination, Termination::early_stopping) << learner;
    const auto best = stopped.best_iteration;
    ASSERT_EQ(stopped.log.size(), static_cast<std::size_t>(best + 8));
    options[0].second = std::to_string(best);
    EXPECT_TRUE(same_values(forest_of(stopped), forest_of(train(learner, data, options))))
        << learner;
    EXPECT_NEAR(testing::value_of(stopped.model, valid),
                stopped.log[static_cast<std::size_t>(best - 1)].values[1].second, 1e-12);
  }
}

TEST(Dart, ThreadsChangeNoBit) {
  const Dataset data = noisy_linear(400, 25, 5, 1), valid = noisy_linear(40, 20, 5, 2);
  const Assignments options = {{"trees", "25"}, {"dart", "0.2"}};
  const Forest one = forest_of(train("lambdamart", data, options, "nDCG@5", &valid, 1));
  for (const int threads : {2, 4})
    EXPECT_TRUE(
        same_values(forest_of(train("lambdamart", data, options, "nDCG@5", &valid, threads)), one))
        << threads;
}

TEST(Dart, TreesThatTrainingStartsFromAreNeverDropped) {
  const Dataset data = noisy_linear(40, 20, 5, 1);
  Bench bench;
  const auto learner = learners().make("lambdamart", {{"trees", "10"}, {"dart", "1"}});
  TrainingProblem problem{data, nullptr, parse_measure("nDCG@5", testing::podium_convention()),
                          testing::podium_convention()};
  const auto begun = learner->train(problem, bench.context);
  problem.start.model = &begun.model;
  const Forest first = forest_of(begun);
  const Forest forest = forest_of(learner->train(problem, bench.context));
  ASSERT_EQ(forest.trees.size(), 20U);
  for (std::size_t t = 0; t < 10; ++t) EXPECT_EQ(forest.trees[t].values, first.trees[t].values);
}

TEST(Dart, DataWithoutSplitsGivesAConstant) {
  const Dataset few = testing::make_dataset({2}, 1, {1, 2}, {0, 1});
  EXPECT_TRUE(forest_of(train("lambdamart", few, {{"dart", "0.5"}})).trees.empty());
}

TEST(Dart, RefusesWhatIsNoProbability) {
  for (const char* rate : {"-0.1", "1.5", "nan"})
    EXPECT_THROW(learners().make("lambdamart", {{"dart", rate}}), Error) << rate;
}

}  // namespace
}  // namespace podium::dart_test
