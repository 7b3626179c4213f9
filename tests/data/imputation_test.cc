// What missing numbers become.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/preparation_support.h"
#include "podium/communicator.h"
#include "podium/transform.h"

namespace podium::imputation_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using testing::kMissing;
using testing::make_dataset;
using testing::same_values;

// Two queries of one feature that is missing somewhere, and of one that is not.
const Dataset kRough = make_dataset({3, 3}, 2,
                                    {2, 1, kMissing, 1, 6, 1,  //
                                     kMissing, 1, 1, 1, 3, 1},
                                    std::vector<float>(6, 0));
const Dataset kEmptyQuery =
    make_dataset({2}, 2, {kMissing, 1, kMissing, kMissing}, std::vector<float>(2, 0));

Transform fitted(Imputation rule, Indicators indicators, const Dataset& data, Context& context) {
  TransformOptions options;
  options.impute = rule;
  options.indicators = indicators;
  return fit_transform(options, data, context);
}

std::vector<float> first_column(const Dataset& data) {
  std::vector<float> column;
  for (std::size_t d = 0; d < data.documents(); ++d)
    column.push_back(all_values(data)[d * data.features()]);
  return column;
}

TEST(Imputation, ReplacesByItsRule) {
  Bench bench;
  const auto filled = [&](Imputation rule) {
    const Transform transform = fitted(rule, Indicators::no, kRough, bench.context);
    return first_column(apply(transform, kRough, bench.context));
  };
  EXPECT_THAT(filled(Imputation::zero), ElementsAre(2, 0, 6, 0, 1, 3));
  EXPECT_THAT(filled(Imputation::mean), ElementsAre(2, 3, 6, 3, 1, 3));
  EXPECT_THAT(filled(Imputation::median), ElementsAre(2, 2, 6, 2, 1, 3));
  EXPECT_THAT(filled(Imputation::query_min), ElementsAre(2, 2, 6, 1, 1, 3));
  EXPECT_THAT(filled(Imputation::query_mean), ElementsAre(2, 4, 6, 2, 1, 3));
}

TEST(Imputation, OfAQueryWithoutValuesUsesTheTrainingQueries) {
  Bench bench;
  const auto filled = [&](Imputation rule) {
    const Transform transform = fitted(rule, Indicators::no, kRough, bench.context);
    return all_values(apply(transform, kEmptyQuery, bench.context));
  };
  // Minima 2 and 1, means 4 and 2; the second feature is never missing in training.
  EXPECT_THAT(filled(Imputation::query_min), ElementsAre(1.5F, 1, 1.5F, 1));
  EXPECT_THAT(filled(Imputation::query_mean), ElementsAre(3, 1, 3, 1));
}

TEST(Imputation, AddsIndicatorsOfFeaturesThatAreMissingInTraining) {
  Bench bench;
  const Transform transform =
      fitted(Imputation::mean, Indicators::automatic, kRough, bench.context);
  EXPECT_THAT(transform.indicators, ElementsAre(0));
  const Dataset out = apply(transform, kEmptyQuery, bench.context);
  EXPECT_THAT(out.feature_names(), ElementsAre("1", "1=missing", "2"));
  EXPECT_THAT(all_values(out), ElementsAre(3, 1, 1, 3, 1, 1));
  EXPECT_THAT(all_values(apply(transform, kRough, bench.context)),
              ElementsAre(2, 0, 1, 3, 1, 1, 6, 0, 1, 3, 1, 1, 1, 0, 1, 3, 0, 1));
}

TEST(Imputation, ComesAfterScalingAndBeforeThresholds) {
  Bench bench;
  TransformOptions options;
  options.normalize = Normalization::query_minmax;
  options.impute = Imputation::query_min;
  options.bins = 1;
  const Transform transform = fit_transform(options, kRough, bench.context);
  const Dataset out = apply(transform, kRough, bench.context);
  ASSERT_EQ(transform.thresholds[0].size(), 1U);
  EXPECT_EQ(out.feature_names()[1], "1=missing");
  const Rows rows = out.rows(0, 6);
  std::vector<float> row(out.features());
  rows.copy(1, row);
  EXPECT_EQ(row[0], 0);  // the smallest of the query after scaling
  EXPECT_EQ(row[1], 1);
  for (const float x : all_values(out)) EXPECT_FALSE(std::isnan(x));
}

TEST(Imputation, SurvivesTheFile) {
  Bench bench;
  const Transform transform =
      fitted(Imputation::query_mean, Indicators::yes, kRough, bench.context);
  const Transform read = transform_from_json(to_json(transform), "file");
  EXPECT_EQ(read.imputation, Imputation::query_mean);
  EXPECT_EQ(read.fills, transform.fills);
  EXPECT_EQ(read.indicators, transform.indicators);
  EXPECT_EQ(to_json(read), to_json(transform));
}

TEST(Imputation, LeavesNothingInFilesOfTransformsWithoutIt) {
  Bench bench;
  TransformOptions options;
  options.normalize = Normalization::query_minmax;
  const std::string json = to_json(fit_transform(options, kRough, bench.context));
  EXPECT_EQ(json.find("impute"), std::string::npos);
  EXPECT_EQ(json.find("encodings"), std::string::npos);
}

// The same bits for sparse storage with either absent value, for threads, and for ranks.
RC_GTEST_PROP(ImputationProperty, StorageThreadsAndRanksDoNotMatter, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto rule = *rc::gen::element(Imputation::zero, Imputation::mean, Imputation::median,
                                      Imputation::query_mean, Imputation::query_min);
  TransformOptions options;
  options.impute = rule;
  options.normalize = *rc::gen::element(Normalization::none, Normalization::query_percentile);
  const Dataset data = testing::rough_data(seed, 30, 6);
  Bench one(1), four(4);
  const Transform transform = fit_transform(options, data, one.context);
  const auto expected = all_values(apply(transform, data, one.context));
  for (const float x : expected) RC_ASSERT(!std::isnan(x));
  for (const Dataset& stored :
       {data, testing::to_sparse(data), testing::to_sparse(data, kMissing)}) {
    const Transform again = fit_transform(options, stored, four.context);
    RC_ASSERT(to_json(again) == to_json(transform));
    RC_ASSERT(same_values(all_values(apply(again, stored, four.context)), expected));
  }
  run_in_threads(3, [&](Communicator& comm) {
    const std::size_t begins[] = {0, 4, 4, 30};
    const auto rank = static_cast<std::size_t>(comm.rank());
    const Dataset mine = query_range(data, begins[rank], begins[rank + 1]);
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    RC_ASSERT(to_json(fit_transform(options, mine, context)) == to_json(transform));
  });
}

}  // namespace
}  // namespace podium::imputation_test
