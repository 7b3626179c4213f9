#include "experiments/comparison/design.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "podium/error.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::design_test {
namespace {

using testing::Bench;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
namespace fs = std::filesystem;

struct Counts {
  std::vector<std::size_t> train, valid, test;
};

Counts count_roles(const std::vector<Fold>& trials, std::size_t queries) {
  Counts counts{std::vector<std::size_t>(queries), std::vector<std::size_t>(queries),
                std::vector<std::size_t>(queries)};
  for (const Fold& trial : trials) {
    std::set<std::size_t> all;
    for (const std::size_t q : trial.train) ++counts.train[q], all.insert(q);
    for (const std::size_t q : trial.valid) ++counts.valid[q], all.insert(q);
    for (const std::size_t q : trial.test) ++counts.test[q], all.insert(q);
    EXPECT_EQ(all.size(), queries);
    EXPECT_EQ(trial.train.size() + trial.valid.size() + trial.test.size(), queries);
  }
  return counts;
}

std::size_t spread(const std::vector<std::size_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *most - *least;
}

TEST(BalancedTrials, YueAndOthersHaveEveryQueryInEachRoleEquallyOften) {
  const Counts counts = count_roles(balanced_trials(50, {50, 10, 5}, 1), 50);
  for (std::size_t q = 0; q < 50; ++q) {
    EXPECT_EQ(counts.train[q], 10U);
    EXPECT_EQ(counts.valid[q], 5U);
    EXPECT_EQ(counts.test[q], 35U);
  }
}

RC_GTEST_PROP(BalancedTrials, RolesDifferByOneAtMost, ()) {
  const auto queries = *rc::gen::inRange<std::size_t>(3, 60);
  const auto train = *rc::gen::inRange<std::size_t>(1, queries - 1);
  const auto valid = *rc::gen::inRange<std::size_t>(1, queries - train);
  const auto trials = *rc::gen::inRange<std::size_t>(1, 60);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Counts counts =
      count_roles(balanced_trials(queries, {trials, train, valid}, seed), queries);
  RC_ASSERT(spread(counts.train) <= 1U);
  RC_ASSERT(spread(counts.valid) <= 1U);
  RC_ASSERT(spread(counts.test) <= 1U);
}

// With few queries the roles of a trial conflict most.
TEST(BalancedTrials, AreEvenForAllSmallNumbers) {
  for (std::size_t queries = 3; queries <= 10; ++queries)
    for (std::size_t train = 1; train + 2 <= queries; ++train)
      for (std::size_t valid = 1; train + valid < queries; ++valid)
        for (std::size_t trials = 1; trials <= 2 * queries; ++trials) {
          const Counts counts =
              count_roles(balanced_trials(queries, {trials, train, valid}, 1), queries);
          ASSERT_LE(spread(counts.train), 1U);
          ASSERT_LE(spread(counts.valid), 1U);
          ASSERT_LE(spread(counts.test), 1U);
        }
}

TEST(BalancedTrials, DifferFromEachOtherAndFollowTheSeed) {
  const auto a = balanced_trials(50, {20, 10, 5}, 1), b = balanced_trials(50, {20, 10, 5}, 1);
  std::set<std::vector<std::size_t>> distinct;
  for (std::size_t t = 0; t < a.size(); ++t) {
    EXPECT_EQ(a[t].train, b[t].train);
    distinct.insert(a[t].train);
  }
  EXPECT_EQ(distinct.size(), 20U);
  EXPECT_NE(balanced_trials(50, {20, 10, 5}, 2)[0].train, a[0].train);
}

TEST(BalancedTrials, NeedQueriesToTest) {
  EXPECT_THROW(balanced_trials(15, {50, 10, 5}, 1), Error);
  EXPECT_THROW(balanced_trials(50, {50, 0, 5}, 1), Error);
}

// A query per line, each with two documents.
std::string rows(std::initializer_list<int> queries) {
  std::string text;
  for (const int q : queries)
    text +=
        "1 qid:" + std::to_string(q) + " 1:1 2:0.5\n0 qid:" + std::to_string(q) + " 1:0 2:0.25\n";
  return text;
}

class Folder : public ::testing::Test {
 protected:
  void fold(const std::string& name, const std::string& train, const std::string& valid,
            const std::string& test) {
    fs::create_directories(folder_.file(name));
    folder_.write(name + "/train.txt", train);
    folder_.write(name + "/vali.txt", valid);
    folder_.write(name + "/test.txt", test);
  }
  std::string refusal() {
    try {
      fold_folder(folder_.file(""), {}, bench_.context);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  TemporaryFolder folder_;
  Bench bench_;
};

TEST_F(Folder, FoldsComeInTheOrderOfTheirNumbers) {
  fold("Fold10", rows({1}), rows({2}), rows({3}));
  fold("Fold2", rows({4}), rows({1}), rows({2}));
  Reading reading;
  reading.keep_bytes = 1 << 20;
  const auto design = fold_folder(folder_.file(""), reading, bench_.context);
  EXPECT_EQ(design->folds(), (std::vector<std::string>{"Fold2", "Fold10"}));
  EXPECT_EQ(design->kind(), "folds");
  EXPECT_EQ(design->load(0, bench_.context).train.qid(0), "4");
  EXPECT_THAT(design->files(1).valid, HasSubstr("Fold10/vali.txt"));
  // Each query is counted once.
  EXPECT_EQ(design->summary().queries, 4U);
  EXPECT_EQ(design->summary().documents, 8U);
}

TEST_F(Folder, FoldsThatAreNotKeptAreReadAgain) {
  fold("Fold1", rows({1, 5}), rows({2}), rows({3}));
  const auto design = fold_folder(folder_.file(""), {}, bench_.context);
  EXPECT_EQ(design->load(0, bench_.context).train.queries(), 2U);
}

TEST_F(Folder, SharedQueriesAreAnErrorThatNamesOne) {
  fold("Fold1", rows({1, 2, 17}), rows({3}), rows({4, 17}));
  EXPECT_THAT(refusal(), HasSubstr("test.txt: query 17 is in"));
}

TEST_F(Folder, TheSameQueryInTwoFoldsIsAllowed) {
  fold("Fold1", rows({1}), rows({2}), rows({3}));
  fold("Fold2", rows({2}), rows({3}), rows({1}));
  EXPECT_EQ(refusal(), "");
}

TEST_F(Folder, AMissingPartIsNamed) {
  fold("Fold1", rows({1}), rows({2}), rows({3}));
  fs::remove(folder_.file("Fold1/vali.txt"));
  EXPECT_THAT(refusal(), HasSubstr("there is no vali file"));
}

TEST_F(Folder, FeaturesCanBeLeftOut) {
  fold("Fold1", rows({1}), rows({2}), rows({3}));
  Reading reading;
  reading.without = "1";
  const auto design = fold_folder(folder_.file(""), reading, bench_.context);
  EXPECT_EQ(design->load(0, bench_.context).test.feature_names(), (std::vector<std::string>{"2"}));
}

TEST_F(Folder, CrossValidationTestsEveryQueryOnce) {
  folder_.write("all.txt", rows({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  const auto design = cross_validation(folder_.file("all.txt"), 5, {}, bench_.context);
  std::multiset<std::string> tested;
  for (std::size_t f = 0; f < 5; ++f) {
    const FoldData data = design->load(f, bench_.context);
    EXPECT_EQ(data.train.queries() + data.valid.queries() + data.test.queries(), 11U);
    for (std::size_t q = 0; q < data.test.queries(); ++q) tested.emplace(data.test.qid(q));
  }
  EXPECT_EQ(tested.size(), 11U);
  EXPECT_EQ(std::set<std::string>(tested.begin(), tested.end()).size(), 11U);
}

TEST_F(Folder, WrittenFoldsAreTheSameFolds) {
  folder_.write("all.txt", rows({1, 2, 3, 4, 5, 6, 7, 8}));
  const auto design = cross_validation(folder_.file("all.txt"), 4, {}, bench_.context);
  write_folds(*design, folder_.file("out"), bench_.context);
  const auto back = fold_folder(folder_.file("out"), {}, bench_.context);
  for (std::size_t f = 0; f < 4; ++f) {
    EXPECT_EQ(back->load(f, bench_.context).train.fingerprint(),
              design->load(f, bench_.context).train.fingerprint());
    EXPECT_EQ(back->load(f, bench_.context).test.fingerprint(),
              design->load(f, bench_.context).test.fingerprint());
  }
}

// Five documents in two queries; a second part repeats the first one.
TEST(DataSummary, HasTheColumnsThatAreNotPlainNumbers) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  DatasetParts parts = testing::make_dataset({3, 2}, 3,
                                             {0, 1, kNan, 1, 1, 2, kNan, 1, kNan,  //
                                              0, 1, 3, 1, 1, kNan},
                                             {0, 1, 0, 1, 0})
                           .parts();
  const std::vector<std::string> brands = {"acme", "zenith"};
  parts.feature_names = {"brand", "price", "bm25"};
  parts.schema = FeatureSchema({{0, make_strings(brands)}}, {"url"});
  const Dataset data(std::move(parts));
  DataSummaryBuilder builder(1);
  builder.add(data);
  builder.add(select_queries(data, std::vector<std::size_t>{1}));
  const ColumnSummary columns = builder.finish().columns;
  EXPECT_EQ(columns.categories, 1U);
  EXPECT_EQ(columns.with_missing, 2U);
  EXPECT_THAT(columns.ignored, ::testing::ElementsAre("url"));
  ASSERT_EQ(columns.columns.size(), 2U);
  EXPECT_EQ(columns.columns[0].name, "brand");
  EXPECT_EQ(columns.columns[0].values, 2U);
  EXPECT_EQ(columns.columns[0].missing, 1U);
  EXPECT_EQ(columns.columns[1].name, "bm25");
  EXPECT_EQ(columns.columns[1].missing, 3U);
}

// A LETOR file in which no row names the last features: they are 0, not missing.
TEST(DataSummary, FeaturesThatAPartLacksHaveTheValueOfAbsentOnes) {
  DataSummaryBuilder builder(1);
  builder.add(testing::make_dataset({2}, 3, {1, 2, 3, 4, 5, 6}, {0, 1}));
  DatasetParts fewer = testing::make_dataset({2}, 2, {1, 2, 3, 4}, {0, 1}).parts();
  const std::vector<std::string> qids = {"other"};
  fewer.qids = make_strings(qids);
  builder.add(Dataset(std::move(fewer)));
  const ColumnSummary columns = builder.finish().columns;
  EXPECT_EQ(columns.with_missing, 0U);
  EXPECT_TRUE(columns.columns.empty());
}

TEST(DataSummary, ListsFewOfManyColumnsMostMissingFirst) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::size_t kFeatures = 2000;
  std::vector<float> values(2 * kFeatures, 1);
  for (std::size_t f = 0; f < kFeatures; f += 2) values[f] = kNan;
  values[1000] = values[kFeatures + 1000] = kNan;
  DataSummaryBuilder builder(1);
  builder.add(testing::make_dataset({2}, kFeatures, values, {0, 1}));
  const ColumnSummary columns = builder.finish().columns;
  EXPECT_EQ(columns.with_missing, kFeatures / 2);
  ASSERT_EQ(columns.columns.size(), ColumnSummary::kMost);
  EXPECT_EQ(columns.columns[0].name, "1001");
  EXPECT_EQ(columns.columns[0].missing, 2U);
}

TEST(DataSummary, HistogramCountsEveryList) {
  DataSummaryBuilder builder(1);
  builder.add(testing::make_dataset({3, 1, 25}, 1, std::vector<float>(29), [] {
    std::vector<float> labels(29);
    labels[0] = 2;
    return labels;
  }()));
  const DataSummary summary = builder.finish();
  EXPECT_EQ(summary.empty, 2U);
  EXPECT_EQ(summary.grades.at(2), 1U);
  std::size_t total = 0;
  for (const auto& bin : summary.length_histogram()) {
    total += bin.queries;
    EXPECT_LE(bin.from, bin.to);
  }
  EXPECT_EQ(total, 3U);
}

}  // namespace
}  // namespace podium::design_test
