#include "models/forest/forest.h"

#include <gtest/gtest.h>

#include "models/forest_support.h"

namespace podium::forest_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using Missing = Tree::Node::Missing;

const float kMissing = std::numeric_limits<float>::quiet_NaN();

// x0 ≤ 1 (missing right) ? (x1 ≤ −0.5 (missing left) ? leaf 2 : leaf 0) : leaf 1
Tree sample_tree() {
  Tree tree;
  tree.nodes = {{0, 1.0F, Missing::right, 1, ~1, 10, 6}, {1, -0.5F, Missing::left, ~2, ~0, 2.5, 4}};
  tree.values = {100, 10, 1};
  tree.leaf_documents = {1, 2, 3};
  return tree;
}

Forest sample() {
  Forest forest;
  forest.features = 3;
  forest.base = {0.5};
  Tree leaf_only;
  leaf_only.values = {1000};
  leaf_only.leaf_documents = {6};
  forest.trees = {sample_tree(), leaf_only};
  return forest;
}

Dataset documents() {
  return make_dataset({6}, 3,
                      {1, -0.5F, 7,       //
                       1, 0, kMissing,    //
                       1.001F, -1, 0,     //
                       kMissing, -1, -1,  //
                       0, kMissing, 2,    //
                       -5, -1, 0},
                      std::vector<float>(6));
}

TEST(Forest, WalksDownByHand) {
  Bench bench;
  EXPECT_EQ(leaf_indices(sample(), documents(), bench.pool),
            (std::vector<std::uint32_t>{2, 0, 0, 0, 1, 0, 1, 0, 2, 0, 2, 0}));
  EXPECT_EQ(score(sample(), documents(), bench.context),
            (std::vector<double>{1001.5, 1100.5, 1010.5, 1010.5, 1001.5, 1001.5}));
}

TEST(Forest, OffsetFeatureCountsAsZeroWhereMissing) {
  Bench bench;
  Forest forest = sample();
  forest.offset_feature = 2;
  EXPECT_EQ(score(forest, documents(), bench.context),
            (std::vector<double>{1008.5, 1100.5, 1010.5, 1009.5, 1003.5, 1001.5}));
}

TEST(Forest, TreesAlternateBetweenOutputs) {
  Bench bench;
  Forest forest = sample();
  forest.link = {Link::Kind::cumulative, {0, 1, 2}};
  forest.base = {0, -1000};
  forest.trees[0].values = {0, 1, 2};
  const auto scores = score(forest, documents(), bench.context);
  EXPECT_DOUBLE_EQ(scores[0], 0.5 + 1 / (1 + std::exp(-2.0)));  // leaf 2; the other output is 0
  EXPECT_DOUBLE_EQ(scores[1], 1);
  EXPECT_DOUBLE_EQ(scores[2], 0.5 + 1 / (1 + std::exp(-1.0)));
}

TEST(Forest, ImportanceIsTheSumOfGains) {
  Forest forest = sample();
  forest.trees.push_back(sample_tree());
  EXPECT_EQ(importance(Model(forest)), (std::vector<double>{20, 5, 0}));
  EXPECT_EQ(split_counts(Model(forest)), (std::vector<double>{2, 2, 0}));
  EXPECT_EQ(feature_count(Model(forest)), 3U);
  EXPECT_EQ(split_counts(Model(Linear{{0.5, 0, -2}, 1})), (std::vector<double>{1, 0, 1}));
}

TEST(Forest, DumpIsReadable) {
  const std::vector<std::string> names = {"bm25", "length", "2"};
  EXPECT_EQ(dump(sample(), names),
            "tree 0: 3 leaves, depth 2\n"
            "  bm25 <= 1, missing right (gain 10, 6 documents)\n"
            "    length <= -0.5, missing left (gain 2.5, 4 documents)\n"
            "      leaf 2: 1 (3 documents)\n"
            "      leaf 0: 100 (1 document)\n"
            "    leaf 1: 10 (2 documents)\n"
            "tree 1: 1 leaf, depth 0\n"
            "  leaf 0: 1000 (6 documents)\n");
}

TEST(Forest, LongChainsNeedNoStack) {
  Random random(3);
  for (const auto shape : {testing::Shape::left_chain, testing::Shape::right_chain}) {
    Forest forest;
    forest.features = 1;
    forest.trees = {testing::random_tree(3000, 1, shape, random)};
    EXPECT_EQ(depth(forest.trees[0]), 2999U);
    EXPECT_EQ(leaves_in_order(forest.trees[0]).size(), 3000U);
    EXPECT_FALSE(dump(forest, std::vector<std::string>{"x"}).empty());
  }
}

TEST(Forest, SparseRowsAreTheSameDocuments) {
  Bench bench;
  Random random(4);
  const Forest forest = testing::random_forest(5, 20, 6, {}, random);
  const Dataset dense = testing::random_data(90, 6, random);
  for (const float absent : {0.0F, kMissing}) {
    const Dataset sparse = testing::to_sparse_rows(dense, absent);
    EXPECT_EQ(leaf_indices(forest, sparse, bench.pool), leaf_indices(forest, dense, bench.pool));
    EXPECT_EQ(score_plainly(forest, sparse, bench.pool), score_plainly(forest, dense, bench.pool));
  }
}

}  // namespace
}  // namespace podium::forest_test
