#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/preparation_support.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::cleaning_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kMissing;
using testing::make_dataset;

Context listening(Bench& bench, testing::Listener& listener) {
  return {1, bench.pool, *bench.comm, listener};
}

TEST(DropZeroVectors, DropsThemAndTheQueriesTheyLeaveEmpty) {
  Bench bench;
  testing::Listener listener;
  Context context = listening(bench, listener);
  const Dataset data =
      make_dataset({2, 2, 1}, 2, {0, 1, 0, 0, 0, 0, kMissing, 0, 3, 0}, {1, 2, 3, 4, 5});
  for (const Dataset& stored : {data, testing::to_sparse(data)}) {
    const Dataset out = drop_zero_vectors(stored, context);
    EXPECT_THAT(out.labels(), ElementsAre(1, 5));
    EXPECT_EQ(out.queries(), 2U);
    EXPECT_EQ(out.qid(1), "q3");
    EXPECT_THAT(all_values(out), ElementsAre(0, 1, 3, 0));
  }
  EXPECT_THAT(listener.notes.at(0), HasSubstr("dropped 3 of 5 documents; 1 of 3 queries"));
}

TEST(DropZeroVectors, AddsNoNoteIfThereAreNone) {
  Bench bench;
  testing::Listener listener;
  Context context = listening(bench, listener);
  const Dataset data = make_dataset({1}, 1, {1}, {0});
  EXPECT_EQ(drop_zero_vectors(data, context).documents(), 1U);
  EXPECT_TRUE(listener.notes.empty());
  EXPECT_THROW(drop_zero_vectors(make_dataset({1}, 1, {0}, {0}), context), Error);
}

// Directions (1,0), (100,1), (1,1) and their labels.
TEST(DropConflicts, DropsBothOfEachConflictingPair) {
  Bench bench;
  const Dataset data =
      make_dataset({4, 2}, 2, {1, 0, 100, 1, 1, 1, 2, 2, 1, 0, 3, 0}, {0, 1, 1, 1, 2, 2});
  for (const Dataset& stored : {data, testing::to_sparse(data)}) {
    EXPECT_THAT(drop_conflicts(stored, 0.99, bench.context).labels(), ElementsAre(1, 1, 2, 2));
    EXPECT_THAT(drop_conflicts(stored, 1, bench.context).labels(), ElementsAre(0, 1, 1, 1, 2, 2));
    EXPECT_THAT(drop_conflicts(stored, 0.5, bench.context).labels(), ElementsAre(2, 2));
  }
}

TEST(DropConflicts, OtherQueriesDoNotMatter) {
  Bench bench;
  const Dataset data = make_dataset({1, 1}, 1, {1, 1}, {0, 1});
  EXPECT_EQ(drop_conflicts(data, 1, bench.context).documents(), 2U);
}

TEST(DropConflicts, OneMeansTheSameDirection) {
  Bench bench;
  const Dataset data =
      make_dataset({3}, 3, {0.1F, 0.7F, 0.3F, 0.2F, 1.4F, 0.6F, 5, 5, 6}, {0, 1, 0});
  EXPECT_THAT(all_values(drop_conflicts(data, 1, bench.context)), ElementsAre(5, 5, 6));
}

TEST(DropConflicts, ZeroVectorsAreSimilarOnlyToEachOther) {
  Bench bench;
  const Dataset data = make_dataset({4}, 1, {0, 0, 1, 2}, {0, 1, 1, 1});
  EXPECT_THAT(all_values(drop_conflicts(data, 0.9, bench.context)), ElementsAre(1, 2));
}

TEST(DropConflicts, RejectsInvalidCosines) {
  Bench bench;
  const Dataset data = make_dataset({1}, 1, {1}, {0});
  EXPECT_THROW(drop_conflicts(data, 1.5, bench.context), Error);
  EXPECT_THROW(drop_conflicts(data, -0.1, bench.context), Error);
}

RC_GTEST_PROP(DropConflictsProperty, LeavesNoConflictAndThreadsAgree, ()) {
  Bench one(1), four(4);
  const Dataset data = testing::rough_data(*rc::gen::arbitrary<std::uint64_t>(), 6, 3);
  const double similarity = 0.9;
  // The last feature is a constant 2, so single-document queries keep something.
  Dataset out;
  try {
    out = drop_conflicts(data, similarity, one.context);
  } catch (const Error&) {
    RC_DISCARD("nothing left");
  }
  RC_ASSERT(testing::same_values(all_values(out),
                                 all_values(drop_conflicts(data, similarity, four.context))));
  RC_ASSERT(drop_conflicts(out, similarity, one.context).documents() == out.documents());
}

TEST(BinarizeLabels, FromTheGivenGrade) {
  const Dataset data = make_dataset({4}, 1, {1, 2, 3, 4}, {0, 1, 2, 3});
  EXPECT_THAT(binarize_labels(data, 2).labels(), ElementsAre(0, 0, 1, 1));
}

TEST(SelectDocuments, KeepsAllData) {
  Bench bench;
  DatasetParts parts = make_dataset({2, 1, 1}, 1, {1, 0, 0, 4}, {0, 1, 2, 3}).parts();
  parts.docids = make_strings(std::vector<std::string>{"a", "b", "c", "d"});
  parts.hosts = make_strings(std::vector<std::string>{"h1", "h2", "h3", "h4"});
  parts.document_weights = std::vector<float>{1, 2, 3, 4};
  parts.query_weights = std::vector<float>{5, 6, 7};
  parts.positions = std::vector<std::int32_t>{2, 1, 1, 9};
  const Dataset out = drop_zero_vectors(Dataset(std::move(parts)), bench.context);
  ASSERT_EQ(out.queries(), 2U);
  EXPECT_EQ(out.docid(1), "d");
  EXPECT_EQ(out.host(0), "h1");
  EXPECT_EQ(out.document_weights(1)[0], 4);
  EXPECT_EQ(out.query_weight(1), 7);
  EXPECT_EQ(out.positions(1)[0], 9);
}

}  // namespace
}  // namespace podium::cleaning_test
