#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/preparation_support.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium {
namespace {

using testing::Bench;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kMissing;
using testing::make_dataset;

TEST(QuantileThresholds, CutIntoEqualShares) {
  Bench bench;
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<float>((i * 37) % 100));
  const Dataset data = make_dataset({100}, 1, values, std::vector<float>(100, 0));
  EXPECT_THAT(quantile_thresholds(data, 4, bench.context), ElementsAre(ElementsAre(24, 49, 74)));
}

TEST(QuantileThresholds, FewDistinctValuesAreAllUsedButTheLargest) {
  Bench bench;
  const Dataset data = make_dataset({6}, 1, {5, 1, 1, 1, kMissing, 3}, std::vector<float>(6, 0));
  EXPECT_THAT(quantile_thresholds(data, 50, bench.context), ElementsAre(ElementsAre(1, 3)));
}

TEST(QuantileThresholds, AreDistinctOnSkewedFeatures) {
  Bench bench;
  std::vector<float> values(95, 0);
  for (int i = 0; i < 5; ++i) values.push_back(static_cast<float>(i + 1));
  const Dataset data = make_dataset({100}, 1, values, std::vector<float>(100, 0));
  EXPECT_THAT(quantile_thresholds(data, 4, bench.context), ElementsAre(ElementsAre(0)));
}

TEST(QuantileThresholds, NoneForConstantOrMissingFeatures) {
  Bench bench;
  const Dataset data = make_dataset({2}, 2, {7, kMissing, 7, kMissing}, {0, 0});
  EXPECT_THAT(quantile_thresholds(data, 10, bench.context), ElementsAre(IsEmpty(), IsEmpty()));
}

RC_GTEST_PROP(QuantileThresholdsProperty, SparseAndThreadsAgreeWithDense, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const int bins = *rc::gen::inRange(2, 12);
  Bench one(1), four(4);
  const Dataset data = testing::rough_data(seed, 30, 12);
  const auto expected = quantile_thresholds(data, bins, one.context);
  for (const auto& cuts : expected) {
    RC_ASSERT(cuts.size() < static_cast<std::size_t>(bins));
    RC_ASSERT(std::is_sorted(cuts.begin(), cuts.end()));
    RC_ASSERT(std::adjacent_find(cuts.begin(), cuts.end()) == cuts.end());
  }
  RC_ASSERT(quantile_thresholds(data, bins, four.context) == expected);
  RC_ASSERT(quantile_thresholds(testing::to_sparse(data), bins, four.context) == expected);
  RC_ASSERT(quantile_thresholds(testing::to_sparse(data, kMissing), bins, one.context) == expected);
}

TEST(FitTransform, NamesEveryFeatureUnlessThereIsNothingToDo) {
  Bench bench;
  const Dataset data = make_dataset({2}, 2, {1, 2, 3, 4}, {0, 1});
  EXPECT_TRUE(fit_transform({}, data, bench.context).is_identity());
  TransformOptions options;
  options.normalize = "query-minmax";
  EXPECT_THAT(fit_transform(options, data, bench.context).features, ElementsAre("1", "2"));
}

TEST(FitTransform, TakesThresholdsFromTheScaledValues) {
  Bench bench;
  const Dataset data = make_dataset({2, 2}, 1, {10, 30, 1000, 5000}, {0, 1, 0, 1});
  TransformOptions options;
  options.normalize = "query-minmax";
  options.bins = 10;
  EXPECT_THAT(fit_transform(options, data, bench.context).thresholds, ElementsAre(ElementsAre(0)));
}

TEST(FitTransform, RejectsBinningThatLeavesNothing) {
  Bench bench;
  const Dataset data = make_dataset({2}, 1, {1, 1}, {0, 1});
  TransformOptions options;
  options.bins = 10;
  EXPECT_THROW(fit_transform(options, data, bench.context), Error);
  options.bins = 1;
  EXPECT_THROW(fit_transform(options, data, bench.context), Error);
}

}  // namespace
}  // namespace podium
