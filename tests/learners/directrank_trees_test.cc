// DirectRank with trees: weights within their range, searched on the requested queries, and
// leverage that raises the training measure.
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "learners/direct_search/directrank_trees_options.h"
#include "learners/train_on_toys.h"
#include "podium/error.h"

namespace podium::directrank_trees_test {
namespace {

using testing::Bench;
using testing::noisy_linear;
using testing::random_data;
using testing::train;
using testing::value_of;

const Forest& forest_of(const TrainingResult& result) {
  return std::get<Forest>(result.model);
}

Assignments with(Assignments options, const Assignments& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

TEST(DirectRankTrees, WeightsAreWithinTheirRange) {
  const Dataset data = noisy_linear(40, 15, 6, 11);
  const Assignments shape = {{"trees", "10"}, {"leaves", "7"}, {"query-fraction", "0.5"}};
  const auto searched = train(
      "directrank-trees", data,
      with(shape, {{"learning-rate", "1"}, {"min-weight", "0.2"}, {"max-weight", "0.2000001"}}));
  const auto mart = train("mart", data, with(shape, {{"learning-rate", "0.2"}}));
  Bench bench;
  const auto a = score(searched.model, data, bench.context),
             b = score(mart.model, data, bench.context);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4);
  EXPECT_THROW(train("directrank-trees", data, {{"min-weight", "0.5"}}), Error);
}

// The weight of one deep tree added to other scores, from its leaves and those of the same tree
// with weight 1.
double weight_of_tree(const Dataset& data, const std::string& weigh_on) {
  Bench bench;
  const std::vector<double> offset =
      score(Linear{{1, 0.5, 0.25, -1, -0.5, -0.25}, 0}, data, bench.context);
  TrainingProblem problem{data, nullptr, parse_measure("nDCG@5", testing::podium_convention()),
                          testing::podium_convention()};
  problem.start.train_offset = offset;
  const auto first_leaf = [&](const Assignments& weights) {
    const Assignments shape = {{"trees", "1"}, {"leaves", "50"},       {"min-docs", "2"},
                               {"l2", "0"},    {"learning-rate", "1"}, {"weigh-on", weigh_on}};
    const auto learner = learners().make("directrank-trees", with(shape, weights));
    return forest_of(learner->train(problem, bench.context)).trees[0].values[0];
  };
  return first_leaf({}) / first_leaf({{"min-weight", "1"}, {"max-weight", "1.0000001"}});
}

TEST(DirectRankTrees, TreesLookBetterOnTheQueriesTheyWereGrownOn) {
  // Labels are noise: a tree fits only its own queries.
  double all = 0, held_out = 0;
  constexpr int kSets = 20;
  for (std::uint64_t seed = 1; seed <= kSets; ++seed) {
    const Dataset data = random_data(40, 15, 6, seed);
    const double a = weight_of_tree(data, "all"), b = weight_of_tree(data, "held-out");
    for (const double weight : {a, b}) {
      EXPECT_GE(weight, 0.1 - 1e-6);
      EXPECT_LE(weight, 0.5 + 1e-6);
    }
    all += a / kSets;
    held_out += b / kSets;
  }
  EXPECT_GT(all, held_out + 0.05);
}

TEST(DirectRankTrees, WithoutHeldOutQueriesAllAreSearched) {
  const Dataset data = random_data(20, 15, 4, 5);
  const Assignments shape = {{"trees", "6"}, {"leaves", "4"}, {"query-fraction", "1"}};
  const auto a = train("directrank-trees", data, with(shape, {{"weigh-on", "held-out"}}));
  const auto b = train("directrank-trees", data, with(shape, {{"weigh-on", "all"}}));
  for (std::size_t t = 0; t < forest_of(a).trees.size(); ++t)
    EXPECT_EQ(forest_of(a).trees[t].values, forest_of(b).trees[t].values);
}

TEST(DirectRankTrees, LeverageChangesWeightsAndRaisesTheMeasure) {
  for (const auto& [data, valid] :
       {std::pair{random_data(30, 15, 6, 12), random_data(10, 15, 6, 13)},
        std::pair{noisy_linear(30, 15, 6, 2), noisy_linear(10, 15, 6, 3)}}) {
    const Assignments shape = {{"trees", "8"}, {"leaves", "4"}, {"min-docs", "5"}};
    const Assignments levered = with(shape, {{"leverage", "5"}});
    const auto plain = train("directrank-trees", data, shape);
    const auto result = train("directrank-trees", data, levered);
    EXPECT_GT(value_of(result.model, data), value_of(plain.model, data));
    int changed = 0;
    for (std::size_t t = 0; t < forest_of(plain).trees.size(); ++t) {
      const auto& before = forest_of(plain).trees[t].values;
      const auto& after = forest_of(result).trees[t].values;
      const double factor = after[0] / before[0];
      EXPECT_GE(factor, 0);
      EXPECT_LE(factor, 2);
      for (std::size_t k = 0; k < before.size(); ++k)
        EXPECT_NEAR(after[k], factor * before[k], 1e-12);
      changed += std::abs(factor - 1) > 1e-6;
    }
    EXPECT_GE(changed, 3);
    double last = value_of(plain.model, data);
    for (const Iteration& step : result.log)
      for (const auto& [name, value] : step.values)
        if (name == "train nDCG@5") {
          EXPECT_GE(value, last - 1e-12);
          last = value;
        }
    EXPECT_NEAR(last, value_of(result.model, data), 1e-12);
    const auto chosen = train("directrank-trees", data, levered, "nDCG@5", &valid);
    const auto unlevered = train("directrank-trees", data, shape, "nDCG@5", &valid);
    EXPECT_GE(value_of(chosen.model, valid), value_of(unlevered.model, valid));
  }
}

void expect_same_trees(const TrainingResult& a, const TrainingResult& b) {
  ASSERT_EQ(forest_of(a).trees.size(), forest_of(b).trees.size());
  for (std::size_t t = 0; t < forest_of(a).trees.size(); ++t)
    EXPECT_EQ(forest_of(a).trees[t].values, forest_of(b).trees[t].values);
}

const Assignments kFew = {
    {"weigh-on", "held-out"}, {"query-fraction", "0.5"}, {"learning-rate", "0.3"}};
constexpr std::size_t kEnough = 4 * kQueriesPerLeaf;  // for trees of four leaves
const Assignments kMany = {{"weigh-on", "all"}, {"query-fraction", "1"}, {"learning-rate", "1"}};

TEST(DirectRankTrees, TheDefaultsAreForTheNumberOfQueriesPerLeaf) {
  const Assignments shape = {{"trees", "4"}, {"leaves", "4"}};
  const Dataset few = noisy_linear(kEnough - 1, 5, 3, 1);
  expect_same_trees(train("directrank-trees", few, shape),
                    train("directrank-trees", few, with(shape, kFew)));
  const Dataset many = noisy_linear(kEnough, 5, 3, 1);
  const auto result = train("directrank-trees", many, shape);
  expect_same_trees(result, train("directrank-trees", many, with(shape, kMany)));
  ASSERT_EQ(result.chosen.size(), 2U);
  EXPECT_EQ(result.chosen[0], std::pair(std::string("learning-rate"), 1.0));
  EXPECT_EQ(result.chosen[1], std::pair(std::string("query-fraction"), 1.0));
}

struct Notes final : Observer {
  void note(std::string_view text) override { all.emplace_back(text); }
  std::vector<std::string> all;
};

TEST(DirectRankTrees, RanksCountAllQueriesAndNoteWhatAutoResolvedTo) {
  const Dataset data = noisy_linear(kEnough, 5, 3, 2);
  const Assignments shape = {{"trees", "3"}, {"leaves", "4"}};
  const auto alone = train("directrank-trees", data, with(shape, kMany));
  const auto learner = learners().make("directrank-trees", shape);
  run_in_threads(3, [&](Communicator& comm) {
    std::vector<std::size_t> mine;
    for (std::size_t q = 0; q < data.queries(); ++q)
      if (static_cast<int>(q % 3) == comm.rank()) mine.push_back(q);
    const Dataset share = select_queries(data, mine);
    ThreadPool pool(1);
    Notes notes;
    Context context{1, pool, comm, notes};
    const auto& convention = testing::podium_convention();
    const auto result =
        learner->train({share, nullptr, parse_measure("nDCG@5", convention), convention}, context);
    expect_same_trees(result, alone);
    ASSERT_EQ(notes.all.size(), 1U);
    EXPECT_EQ(notes.all[0], std::to_string(kEnough) +
                                " training queries, 4 leaves: ‹learning-rate 1› ‹query-fraction 1› "
                                "‹weigh-on all›");
  });
}

TEST(DirectRankTrees, LeverageAloneReweightsTheTreesOfMart) {
  const Dataset data = noisy_linear(30, 15, 6, 7);
  const Assignments shape = {{"trees", "12"}, {"leaves", "5"}, {"min-docs", "5"}};
  const auto mart = train("mart", data, shape);
  const auto once =
      train("directrank-trees", data, with(shape, {{"strategy", "leverage"}, {"leverage", "1"}}));
  const auto levered = train("directrank-trees", data, with(shape, {{"strategy", "leverage"}}));
  EXPECT_GT(value_of(once.model, data), value_of(mart.model, data));
  EXPECT_GE(value_of(levered.model, data), value_of(once.model, data));
  ASSERT_EQ(forest_of(levered).trees.size(), 12U);
  int changed = 0;
  for (std::size_t t = 0; t < 12; ++t) {
    const auto& before = forest_of(mart).trees[t].values;
    const auto& after = forest_of(levered).trees[t].values;
    ASSERT_EQ(before.size(), after.size());
    const double factor = after[0] / before[0];
    for (std::size_t k = 0; k < before.size(); ++k)
      EXPECT_NEAR(after[k], factor * before[k], 1e-12);
    changed += std::abs(factor - 1) > 1e-6;
  }
  EXPECT_GE(changed, 6);
}

TEST(DirectRankTrees, WeightsPerLeafFitTheFirstTreeNoWorse) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = noisy_linear(30, 15, 6, seed);
    const Assignments shape = with(kMany, {{"trees", "1"}, {"leaves", "6"}, {"min-docs", "5"}});
    const double tree = value_of(train("directrank-trees", data, shape).model, data);
    const auto leaves = train("directrank-trees", data, with(shape, {{"weigh", "leaves"}}));
    EXPECT_GE(value_of(leaves.model, data), tree - 1e-12);
  }
}

TEST(DirectRankTrees, AcceptsLossesWithOneOutput) {
  const Dataset data = noisy_linear(20, 10, 4, 14);
  Bench bench;
  const auto learner = learners().make("directrank-trees", {{"trees", "3"}});
  const auto& convention = testing::podium_convention();
  const auto towards = [&](const std::string& loss) {
    return learner->with_loss(parse_loss(loss))
        ->train({data, nullptr, parse_measure("AP", convention), convention}, bench.context);
  };
  EXPECT_EQ(forest_of(towards("lambda-ndcg")).trees.size(), 3U);
  EXPECT_THROW(towards("multinomial"), Error);
}

}  // namespace
}  // namespace podium::directrank_trees_test
