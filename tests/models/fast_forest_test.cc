// fast_forest against the plain walk, bit for bit, in every instruction set of this machine.
#include "models/forest/fast_forest.h"

#include <cstring>

#include <gtest/gtest.h>

#include "models/forest/fast_forest_kernels.h"
#include "models/forest/forest.h"
#include "models/forest/test_table.h"
#include "models/forest_support.h"
#include "support/on_each_target.h"

namespace podium::fast_forest_test {
namespace {

using testing::Bench;
using testing::Shape;

const float kMissing = std::numeric_limits<float>::quiet_NaN();

::testing::AssertionResult same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return ::testing::AssertionFailure() << a.size() << " != " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(double)) != 0)
      return ::testing::AssertionFailure() << "at " << i << ": " << a[i] << " and " << b[i];
  return ::testing::AssertionSuccess();
}

std::vector<double> score_fast(const Forest& forest, const Dataset& data, ThreadPool& pool) {
  std::vector<double> outputs = first_outputs(forest, data, pool);
  const std::size_t width = forest.base.size();
  FastForest(forest.trees, width, forest.features).add_to(outputs, data, pool);
  std::vector<double> scores;
  for (std::size_t i = 0; i < data.documents(); ++i)
    scores.push_back(forest.link(std::span(outputs).subspan(i * width, width)));
  return scores;
}

class FastForestOn : public testing::OnEachTarget {};
PODIUM_ON_EACH_TARGET(FastForestOn);

TEST_P(FastForestOn, RunsOnTheTarget) {
  EXPECT_EQ(fast_forest_target(), hwy::TargetName(GetParam()));
}

TEST_P(FastForestOn, EqualsThePlainWalk) {
  Bench bench(2);
  const Link links[] = {{}, {Link::Kind::softmax, {0, 1, 2}}, {Link::Kind::cumulative, {0, 1, 3}}};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const std::size_t features = 1 + random.below(20);
    const std::size_t largest = std::array{1, 2, 33, 64, 100, 300}[random.below(6)];
    Forest forest =
        testing::random_forest(random.below(12), largest, features, links[random.below(3)], random);
    if (random.below(2)) {
      forest.offset_feature = static_cast<std::uint32_t>(random.below(features));
    }
    const Dataset data = testing::random_data(random.below(200), features, random);
    const auto expected = score_plainly(forest, data, bench.pool);
    EXPECT_TRUE(same_bits(score_fast(forest, data, bench.pool), expected)) << seed;
    for (const float absent : {0.0F, kMissing}) {
      const Dataset sparse = testing::to_sparse_rows(data, absent);
      EXPECT_TRUE(same_bits(score_fast(forest, sparse, bench.pool),
                            score_plainly(forest, sparse, bench.pool)))
          << seed;
    }
  }
}

TEST_P(FastForestOn, EveryNumberOfLeavesAndShape) {
  Bench bench;
  Random random(5);
  const Dataset data = testing::random_data(70, 7, random);
  for (std::size_t leaves = 1; leaves <= 130; ++leaves)
    for (const Shape shape : {Shape::bushy, Shape::left_chain, Shape::right_chain}) {
      Forest forest;
      forest.features = 7;
      forest.trees = {testing::random_tree(leaves, 7, shape, random)};
      EXPECT_TRUE(
          same_bits(score_fast(forest, data, bench.pool), score_plainly(forest, data, bench.pool)))
          << leaves;
    }
}

TEST_P(FastForestOn, LargeTreesAndLongChains) {
  Bench bench;
  Random random(6);
  const Dataset data = testing::random_data(130, 5, random);
  for (const Shape shape : {Shape::bushy, Shape::left_chain, Shape::right_chain}) {
    Forest forest;
    forest.features = 5;
    for (const std::size_t leaves : {500, 700, 3000})
      forest.trees.push_back(testing::random_tree(leaves, 5, shape, random));
    EXPECT_TRUE(
        same_bits(score_fast(forest, data, bench.pool), score_plainly(forest, data, bench.pool)));
  }
}

// Trees of few different tests: full and pruned ones, with missing values on either side.
TEST_P(FastForestOn, TreesWithFewDifferentTests) {
  Bench bench(2);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const std::size_t features = 1 + random.below(9);
    Forest forest;
    forest.features = features;
    for (std::uint64_t trees = 1 + random.below(9); trees > 0; --trees) {
      const std::size_t levels = random.below(12);
      forest.trees.push_back(testing::level_tree(levels, random.uniform(), features, random));
    }
    forest.trees.push_back(testing::random_tree(40, features, Shape::bushy, random));
    const Dataset data = testing::random_data(random.below(200), features, random);
    EXPECT_TRUE(
        same_bits(score_fast(forest, data, bench.pool), score_plainly(forest, data, bench.pool)))
        << seed;
  }
}

TEST(TestTable, IsForTreesWithFewDifferentTests) {
  Random random(3);
  const auto size = [&](const Tree& tree) {
    std::vector<Comparison> nodes;
    for (const Tree::Node& node : tree.nodes)
      nodes.push_back({node.feature, node.threshold, node.missing});
    const auto table = table_of(tree, nodes, nodes.size());
    return table ? table->values.size() : 0;
  };
  EXPECT_EQ(size(testing::level_tree(6, 0, 1000, random)), 64U);
  EXPECT_EQ(size(testing::level_tree(10, 0, 1000, random)), 1024U);
  EXPECT_EQ(size(testing::level_tree(11, 0, 1000, random)), 0U);
  EXPECT_EQ(size(testing::level_tree(2, 0, 1000, random)), 0U);  // 3 nodes: as fast as before
  EXPECT_EQ(size(testing::random_tree(31, 1000, Shape::bushy, random)), 0U);
  EXPECT_EQ(size(testing::random_tree(1, 5, Shape::bushy, random)), 0U);
}

TEST(FastForest, AddsTheNewestTreesToOutputsThatExist) {
  Bench bench;
  Random random(7);
  const Link link{Link::Kind::softmax, {0, 1, 2}};
  const Forest forest = testing::random_forest(6, 31, 9, link, random);
  const Dataset data = testing::random_data(150, 9, random);
  std::vector<double> at_once = first_outputs(forest, data, bench.pool), in_steps = at_once;
  FastForest(forest.trees, 3, 9).add_to(at_once, data, bench.pool);
  for (std::size_t t = 0; t < forest.trees.size(); t += 3)
    FastForest(std::span(forest.trees).subspan(t, 3), 3, 9).add_to(in_steps, data, bench.pool);
  EXPECT_TRUE(same_bits(at_once, in_steps));
}

TEST(FastForest, SameBitsForAnyNumberOfThreads) {
  Random random(8);
  const Forest forest = testing::random_forest(20, 40, 10, {}, random);
  const Dataset data = testing::random_data(5000, 10, random);
  Bench one(1), four(4);
  const auto expected = score_plainly(forest, data, one.pool);
  EXPECT_TRUE(same_bits(score(forest, data, one.context), expected));
  EXPECT_TRUE(same_bits(score(forest, data, four.context), expected));
}

TEST(FastForest, NoTreesAndNoDocuments) {
  Bench bench;
  Random random(9);
  Forest forest;
  forest.features = 2;
  forest.base = {1.5};
  const Dataset data = testing::random_data(100, 2, random);
  EXPECT_EQ(score(forest, data, bench.context), std::vector<double>(100, 1.5));
  EXPECT_TRUE(score(forest, testing::random_data(0, 2, random), bench.context).empty());
}

}  // namespace
}  // namespace podium::fast_forest_test
