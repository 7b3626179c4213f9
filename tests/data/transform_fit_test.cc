#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/preparation_support.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::transform_fit_test {
namespace {

using testing::Bench;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kMissing;
using testing::make_dataset;

std::set<float> values_of(const Dataset& data, std::size_t feature) {
  std::set<float> values;
  for (std::size_t d = 0; d < data.documents(); ++d)
    if (const float x = data.rows(0, data.documents()).dense(d)[feature]; !std::isnan(x))
      values.insert(x + 0.0F);
  return values;
}

TEST(QuantileThresholds, CutIntoEqualShares) {
  Bench bench;
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) values.push_back(static_cast<float>((i * 37) % 100));
  const Dataset data = make_dataset({100}, 1, values, std::vector<float>(100, 0));
  EXPECT_THAT(quantile_thresholds(data, 3, bench.context), ElementsAre(ElementsAre(24, 49, 74)));
  EXPECT_THAT(quantile_thresholds(data, 1, bench.context), ElementsAre(ElementsAre(49)));
}

TEST(QuantileThresholds, FewDistinctValuesAreAllUsedExceptTheLargest) {
  Bench bench;
  const Dataset data = make_dataset({6}, 1, {5, 1, 1, 1, kMissing, 3}, std::vector<float>(6, 0));
  EXPECT_THAT(quantile_thresholds(data, 50, bench.context), ElementsAre(ElementsAre(1, 3)));
}

TEST(QuantileThresholds, AreAsManyAsRequestedForSkewedFeatures) {
  Bench bench;
  std::vector<float> values(95, 0);
  for (int i = 0; i < 5; ++i) values.push_back(static_cast<float>(i + 1));
  const Dataset data = make_dataset({100}, 1, values, std::vector<float>(100, 0));
  // Four quantiles of all values are 0; the other three are quantiles of the rest, 1 to 4.
  EXPECT_THAT(quantile_thresholds(data, 4, bench.context), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(quantile_thresholds(data, 2, bench.context), ElementsAre(ElementsAre(0, 2)));
}

TEST(QuantileThresholds, NoneForConstantOrMissingFeatures) {
  Bench bench;
  const Dataset data = make_dataset({2}, 2, {7, kMissing, 7, kMissing}, {0, 0});
  EXPECT_THAT(quantile_thresholds(data, 10, bench.context), ElementsAre(IsEmpty(), IsEmpty()));
}

RC_GTEST_PROP(QuantileThresholdsProperty, SparseAndThreadsAgreeWithDense, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const int count = *rc::gen::inRange(1, 12);
  Bench one(1), four(4);
  const Dataset data = testing::rough_data(seed, 30, 12);
  const auto expected = quantile_thresholds(data, count, one.context);
  for (std::size_t f = 0; f < expected.size(); ++f) {
    const auto& cuts = expected[f];
    const std::set<float> values = values_of(data, f);
    RC_ASSERT(cuts.size() == std::min(static_cast<std::size_t>(count),
                                      values.size() - std::min<std::size_t>(1, values.size())));
    RC_ASSERT(std::is_sorted(cuts.begin(), cuts.end()));
    RC_ASSERT(std::adjacent_find(cuts.begin(), cuts.end()) == cuts.end());
    for (const float cut : cuts) RC_ASSERT(values.count(cut) == 1 && cut < *values.rbegin());
  }
  RC_ASSERT(quantile_thresholds(data, count, four.context) == expected);
  RC_ASSERT(quantile_thresholds(testing::to_sparse(data), count, four.context) == expected);
  RC_ASSERT(quantile_thresholds(testing::to_sparse(data, kMissing), count, one.context) ==
            expected);
}

TEST(EvenThresholds, AreBetweenTheSmallestAndTheLargestValue) {
  Bench bench;
  const Dataset data = make_dataset({4}, 3, {0, 5, kMissing, 1, 5, kMissing, 10, 5, 2, 2, 5, 4},
                                    std::vector<float>(4, 0));
  EXPECT_THAT(even_thresholds(data, 4, {}, bench.context),
              ElementsAre(ElementsAre(2, 4, 6, 8), IsEmpty(), ElementsAre(2.4F, 2.8F, 3.2F, 3.6F)));
  // A feature that is not constant is cut over the whole known range, whatever its values.
  EXPECT_THAT(even_thresholds(data, 3, ValueRange{0, 20}, bench.context),
              ElementsAre(ElementsAre(5, 10, 15), IsEmpty(), ElementsAre(5, 10, 15)));
  EXPECT_THROW(even_thresholds(data, 0, {}, bench.context), Error);
}

RC_GTEST_PROP(EvenThresholdsProperty, SparseAgreesWithDense, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const int count = *rc::gen::inRange(1, 60);
  Bench bench;
  const Dataset data = testing::rough_data(seed, 30, 12);
  const auto expected = even_thresholds(data, count, {}, bench.context);
  for (std::size_t f = 0; f < expected.size(); ++f) {
    const std::set<float> values = values_of(data, f);
    RC_ASSERT(expected[f].size() == (values.size() < 2 ? 0U : static_cast<std::size_t>(count)));
    if (expected[f].empty()) continue;
    const double low = *values.begin(), step = (*values.rbegin() - low) / (count + 1);
    for (std::size_t i = 0; i < expected[f].size(); ++i)
      RC_ASSERT(std::abs(expected[f][i] - (low + step * static_cast<double>(i + 1))) < 1e-5);
  }
  RC_ASSERT(even_thresholds(testing::to_sparse(data), count, {}, bench.context) == expected);
  RC_ASSERT(even_thresholds(testing::to_sparse(data, kMissing), count, {}, bench.context) ==
            expected);
}

TEST(FitTransform, EvenThresholdsAfterScalingAreBetween0And1) {
  Bench bench;
  const Dataset data = make_dataset({4, 3}, 1, {10, 30, 20, 40, 5, 7, 9}, std::vector<float>(7, 0));
  TransformOptions options;
  options.bins = 3;
  options.bin_rule = BinRule::even;
  EXPECT_THAT(fit_transform(options, data, bench.context).thresholds,
              ElementsAre(ElementsAre(13.75F, 22.5F, 31.25F)));
  for (const Normalization scaling :
       {Normalization::query_minmax, Normalization::query_percentile}) {
    options.normalize = scaling;  // the largest percentile here is 3/4
    EXPECT_THAT(fit_transform(options, data, bench.context).thresholds,
                ElementsAre(ElementsAre(0.25F, 0.5F, 0.75F)));
  }
  EXPECT_EQ(parse_bin_rule("even"), BinRule::even);
  EXPECT_THROW(parse_bin_rule("evenly"), Error);
}

TEST(FitTransform, NamesEveryFeatureUnlessThereIsNothingToDo) {
  Bench bench;
  const Dataset data = make_dataset({2}, 2, {1, 2, 3, 4}, {0, 1});
  EXPECT_TRUE(fit_transform({}, data, bench.context).is_identity());
  TransformOptions options;
  options.normalize = Normalization::query_minmax;
  EXPECT_THAT(fit_transform(options, data, bench.context).features, ElementsAre("1", "2"));
}

TEST(FitTransform, TakesThresholdsFromTheScaledValues) {
  Bench bench;
  const Dataset data = make_dataset({2, 2}, 1, {10, 30, 1000, 5000}, {0, 1, 0, 1});
  TransformOptions options;
  options.normalize = Normalization::query_minmax;
  options.bins = 10;
  EXPECT_THAT(fit_transform(options, data, bench.context).thresholds, ElementsAre(ElementsAre(0)));
}

TEST(FitTransform, RejectsBinningThatLeavesNothing) {
  Bench bench;
  const Dataset data = make_dataset({2}, 1, {1, 1}, {0, 1});
  TransformOptions options;
  options.bins = 10;
  EXPECT_THROW(fit_transform(options, data, bench.context), Error);
  options.bin_rule = BinRule::even;
  EXPECT_THROW(fit_transform(options, data, bench.context), Error);
}

}  // namespace
}  // namespace podium::transform_fit_test
