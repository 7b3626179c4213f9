#include "podium/describe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/preparation_support.h"

namespace podium::describe_test {
namespace {

using testing::Bench;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kMissing;
using testing::make_dataset;
using ::testing::Pair;

TEST(Describe, SizesGradesAndLengths) {
  Bench bench;
  const Dataset data = make_dataset({3, 1, 2}, 1, {1, 2, 3, 4, 5, 6}, {0, 2, 2, 0, 1, 1});
  const DataDescription d = describe(data, bench.context);
  EXPECT_EQ(d.queries, 3U);
  EXPECT_EQ(d.documents, 6U);
  EXPECT_EQ(d.features, 1U);
  EXPECT_THAT(d.grades, ElementsAre(Pair(0, 2), Pair(1, 2), Pair(2, 2)));
  EXPECT_EQ(d.shortest, 1U);
  EXPECT_EQ(d.longest, 3U);
  EXPECT_EQ(d.median_length, 2);
  EXPECT_EQ(d.mean_length, 2);
  EXPECT_EQ(d.queries_without_relevant, 1U);
  EXPECT_EQ(d.queries_of_one_grade, 2U);
  EXPECT_TRUE(d.dense);
  EXPECT_EQ(d.bytes, data.bytes());
  EXPECT_FALSE(d.has_docids);
}

TEST(Describe, RealLabelsHaveARange) {
  Bench bench;
  const DataDescription d =
      describe(make_dataset({3}, 1, {1, 2, 3}, {0.5, -1, 0.5}), bench.context);
  EXPECT_THAT(d.grades, IsEmpty());
  EXPECT_EQ(d.distinct_labels, 2U);
  EXPECT_EQ(d.label_min, -1);
  EXPECT_EQ(d.label_max, 0.5);
}

TEST(Describe, WideDataByItsPresentFeatures) {
  Bench bench;
  std::vector<float> values(2 * 1000);
  values[2] = values[1002] = 5;  // feature 3: constant
  values[6] = values[999] = 1;   // features 7 and 1000: equal
  const DataDescription d =
      describe(testing::to_sparse(make_dataset({2}, 1000, values, {0, 1})), bench.context);
  EXPECT_EQ(d.features, 1000U);
  EXPECT_EQ(d.absent_features, 997U);
  ASSERT_EQ(d.feature.size(), 3U);
  EXPECT_EQ(d.feature[2].name, "1000");
  EXPECT_EQ(d.feature[2].zeros, 1U);
  EXPECT_EQ(d.feature[2].mean, 0.5);
  EXPECT_THAT(d.constant_features, ElementsAre(0));
  EXPECT_THAT(d.duplicate_features, ElementsAre(Pair(2, 1)));
}

TEST(Describe, ConstantAndDuplicateFeatures) {
  Bench bench;
  // Features: varies, constant, copy of 1, all missing, copy of 1, 1 with the opposite sign.
  const Dataset data = make_dataset({2, 1}, 6,
                                    {1, 5, 1, kMissing, 1, -1,     //
                                     0, 5, -0.0F, kMissing, 0, 0,  //
                                     2, 5, 2, kMissing, 2, -2},
                                    {0, 1, 2});
  const DataDescription d = describe(data, bench.context);
  EXPECT_THAT(d.constant_features, ElementsAre(1, 3));
  EXPECT_THAT(d.duplicate_features, ElementsAre(Pair(2, 0), Pair(4, 0)));
  EXPECT_EQ(d.feature[0].name, "1");
  EXPECT_EQ(d.feature[0].mean, 1);
  EXPECT_EQ(d.feature[0].zeros, 1U);
  EXPECT_EQ(d.feature[3].missing, 3U);
  EXPECT_EQ(d.feature[5].min, -2);
}

TEST(Describe, ConflictsAreWithinAQuery) {
  Bench bench;
  const Dataset data = make_dataset({4, 2, 1}, 2,
                                    {1, 2, 1, 2, 1, 2, 3, 4,  // three equal, labels 0 0 1
                                     1, 2, 3, 4,              // no equal ones
                                     1, 2},
                                    {0, 0, 1, 1, 2, 2, 3});
  const DataDescription d = describe(data, bench.context);
  EXPECT_EQ(d.duplicate_documents, 3U);
  EXPECT_EQ(d.conflicting_documents, 3U);
  EXPECT_EQ(d.queries_with_conflicts, 1U);
}

TEST(Describe, EqualDocumentsThatAgreeAreNoConflict) {
  Bench bench;
  const DataDescription d =
      describe(make_dataset({2}, 1, {kMissing, kMissing}, {1, 1}), bench.context);
  EXPECT_EQ(d.duplicate_documents, 2U);
  EXPECT_EQ(d.conflicting_documents, 0U);
}

RC_GTEST_PROP(DescribeProperty, SparseAndThreadsAgreeWithDense, ()) {
  Bench one(1), four(4);
  const Dataset data = testing::rough_data(*rc::gen::arbitrary<std::uint64_t>(), 10, 3);
  const DataDescription dense = describe(data, one.context);
  for (const float absent : {0.0F, kMissing}) {
    const DataDescription sparse = describe(testing::to_sparse(data, absent), four.context);
    RC_ASSERT(!sparse.dense);
    RC_ASSERT(sparse.constant_features == dense.constant_features);
    RC_ASSERT(sparse.duplicate_features == dense.duplicate_features);
    RC_ASSERT(sparse.duplicate_documents == dense.duplicate_documents);
    RC_ASSERT(sparse.conflicting_documents == dense.conflicting_documents);
    for (std::size_t f = 0; f < dense.feature.size(); ++f) {
      RC_ASSERT(sparse.feature[f].min == dense.feature[f].min);
      RC_ASSERT(sparse.feature[f].max == dense.feature[f].max);
      RC_ASSERT(sparse.feature[f].mean == dense.feature[f].mean);
      RC_ASSERT(sparse.feature[f].missing == dense.feature[f].missing);
      RC_ASSERT(sparse.feature[f].zeros == dense.feature[f].zeros);
    }
  }
}

}  // namespace
}  // namespace podium::describe_test
