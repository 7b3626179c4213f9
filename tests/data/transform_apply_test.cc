#include <bit>
#include <cmath>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/random.h"
#include "data/preparation_support.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::transform_apply_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using testing::kMissing;
using testing::make_dataset;
using testing::same_values;

Transform normalizing(Normalization normalization) {
  Transform transform;
  transform.normalization = normalization;
  return transform;
}

TEST(Apply, MinmaxSpansZeroToOneWithinEachQuery) {
  Bench bench;
  const Dataset data = make_dataset({3, 2}, 2, {2, 5, 4, 5, 3, 5, -1, 7, 1, 9}, {0, 0, 0, 0, 0});
  const Dataset out = apply(normalizing(Normalization::query_minmax), data, bench.context);
  EXPECT_THAT(all_values(out), ElementsAre(0, 0, 1, 0, 0.5, 0, 0, 0, 1, 1));
}

TEST(Apply, ZscoreHasMeanZeroAndDeviationOne) {
  Bench bench;
  const Dataset data = make_dataset({4}, 1, {1, 1, 3, 3}, {0, 0, 0, 0});
  const Dataset out = apply(normalizing(Normalization::query_zscore), data, bench.context);
  EXPECT_THAT(all_values(out), ElementsAre(-1, -1, 1, 1));
}

// Mean and deviation are sums, rounded in the same way for any order.
TEST(Apply, NormalizingDoesNotDependOnTheOrderOfRows) {
  Bench bench;
  Random random(3);
  std::vector<float> values, backwards;
  for (int i = 0; i < 500; ++i)
    values.push_back(static_cast<float>(1e6 * random.uniform() * random.uniform() - 3));
  values[17] = kMissing;
  values[18] = 1e-20F;
  backwards.assign(values.rbegin(), values.rend());
  const std::vector<float> labels(values.size());
  for (const auto normalization : {Normalization::query_minmax, Normalization::query_zscore,
                                   Normalization::query_percentile}) {
    const Dataset a = apply(normalizing(normalization),
                            make_dataset({values.size()}, 1, values, labels), bench.context);
    const Dataset b = apply(normalizing(normalization),
                            make_dataset({values.size()}, 1, backwards, labels), bench.context);
    const auto x = a.parts().dense.view(), y = b.parts().dense.view();
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(x[i]),
                std::bit_cast<std::uint32_t>(y[x.size() - 1 - i]));
  }
}

TEST(Apply, PercentileCountsSmallerValuesAndAveragesTies) {
  Bench bench;
  const Dataset data = make_dataset({5}, 1, {10, 20, 20, kMissing, 30}, {0, 0, 0, 0, 0});
  const auto out =
      all_values(apply(normalizing(Normalization::query_percentile), data, bench.context));
  EXPECT_THAT(std::vector<float>({out[0], out[1], out[2], out[4]}),
              ElementsAre(0, 1.5F / 4, 1.5F / 4, 3.0F / 4));
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(Apply, MissingStaysMissingAndIsNotCounted) {
  Bench bench;
  const Dataset data = make_dataset({4}, 1, {kMissing, 2, 6, kMissing}, {0, 0, 0, 0});
  for (const auto normalization : {Normalization::none, Normalization::query_minmax,
                                   Normalization::query_zscore, Normalization::query_percentile}) {
    Transform transform = normalizing(normalization);
    transform.log1p = true;
    const auto out = all_values(apply(transform, data, bench.context));
    EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[3]));
    EXPECT_LT(out[1], out[2]);
  }
}

TEST(Apply, Log1pKeepsTheSign) {
  Bench bench;
  const Dataset data = make_dataset({3}, 1, {-3, 0, 3}, {0, 0, 0});
  Transform transform;
  transform.log1p = true;
  const float log4 = std::log(4.0F);
  EXPECT_THAT(all_values(apply(transform, data, bench.context)),
              ElementsAre(FloatEq(-log4), 0, FloatEq(log4)));
}

TEST(Apply, ThresholdsBecomeNamedIndicators) {
  Bench bench;
  DatasetParts parts = make_dataset({3}, 2, {1, 5, 2, kMissing, 3, 7}, {0, 0, 0}).parts();
  parts.feature_names = {"bm25", "length"};
  Transform transform;
  transform.thresholds = {{1, 2.5}, {6}};
  const Dataset out = apply(transform, Dataset(parts), bench.context);
  EXPECT_THAT(out.feature_names(), ElementsAre("bm25>1", "bm25>2.5", "length>6"));
  EXPECT_TRUE(same_values(all_values(out), {0, 0, 0, 1, 0, kMissing, 1, 1, 1}));
}

TEST(Apply, SelectsByNameInTheTransformsOrder) {
  Bench bench;
  DatasetParts parts = make_dataset({1}, 3, {1, 2, 3}, {0}).parts();
  parts.feature_names = {"a", "b", "c"};
  Transform transform;
  transform.features = {"c", "a"};
  const Dataset out = apply(transform, Dataset(parts), bench.context);
  EXPECT_THAT(all_values(out), ElementsAre(3, 1));
  EXPECT_THAT(out.feature_names(), ElementsAre("c", "a"));
}

TEST(Apply, NamesTheFeatureThatIsAbsent) {
  Bench bench;
  DatasetParts parts = make_dataset({1}, 2, {1, 2}, {0}).parts();
  parts.feature_names = {"title_bm25", "pagerank"};
  Transform transform;
  transform.features = {"pagerang"};
  try {
    apply(transform, Dataset(parts), bench.context);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean pagerank?"));
  }
}

TEST(Apply, NumbersBeyondTheLastFeatureAreAbsent) {
  Bench bench;
  const Dataset data = make_dataset({2}, 2, {1, 0, 0, 4}, {0, 0});
  Transform transform;
  transform.features = {"2", "7"};
  EXPECT_THAT(all_values(apply(transform, data, bench.context)), ElementsAre(0, 0, 4, 0));
  EXPECT_THAT(all_values(apply(transform, testing::to_sparse(data), bench.context)),
              ElementsAre(0, 0, 4, 0));
  transform.features = {"2", "seven"};
  EXPECT_THROW(apply(transform, data, bench.context), Error);
}

TEST(Apply, KeepsAllDataOfDocuments) {
  Bench bench;
  DatasetParts parts = make_dataset({1, 1}, 1, {1, 2}, {3, 4}).parts();
  parts.docids = make_strings(std::vector<std::string>{"x", "y"});
  parts.positions = std::vector<std::int32_t>{2, 1};
  const Dataset out =
      apply(normalizing(Normalization::query_minmax), Dataset(parts), bench.context);
  EXPECT_EQ(out.docid(1), "y");
  EXPECT_EQ(out.positions(0)[0], 2);
  EXPECT_THAT(out.labels(), ElementsAre(3, 4));
  EXPECT_EQ(out.qid(1), "q2");
}

TEST(Apply, SelectionOfSparseDataStaysSparse) {
  Bench bench;
  std::vector<float> values(20 * 50, 0);
  for (std::size_t d = 0; d < 20; ++d) values[d * 50 + d] = 1;
  const Dataset data = make_dataset({20}, 50, values, std::vector<float>(20, 0));
  Transform transform;
  transform.log1p = true;
  EXPECT_FALSE(apply(transform, testing::to_sparse(data), bench.context).is_dense());
  EXPECT_TRUE(apply(transform, data, bench.context).is_dense());
}

Transform any_transform(std::uint64_t seed, std::size_t features) {
  Random random(seed);
  Transform transform;
  for (std::size_t f = 0; f < features; ++f)
    if (random.below(3) != 0) transform.features.push_back(std::to_string(f + 1));
  transform.log1p = random.below(2) != 0;
  transform.normalization = static_cast<Normalization>(random.below(4));
  if (random.below(2) != 0) {
    const std::size_t kept = transform.features.empty() ? features : transform.features.size();
    for (std::size_t k = 0; k < kept; ++k) {
      auto& cuts = transform.thresholds.emplace_back();
      float cut = -1.25F;
      for (std::uint64_t n = random.below(4); n > 0; --n) cuts.push_back(cut += 0.5F);
    }
  }
  return transform;
}

RC_GTEST_PROP(ApplyProperty, DenseSparseAndThreadsAgree, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Bench one(1), four(4);
  const Dataset data = testing::rough_data(seed);
  const Transform transform = any_transform(seed, data.features());
  const auto expected = all_values(apply(transform, data, one.context));
  RC_ASSERT(same_values(expected, all_values(apply(transform, data, four.context))));
  for (const float absent : {0.0F, kMissing}) {
    const Dataset sparse = testing::to_sparse(data, absent);
    RC_ASSERT(same_values(expected, all_values(apply(transform, sparse, one.context))));
    RC_ASSERT(same_values(expected, all_values(apply(transform, sparse, four.context))));
  }
}

RC_GTEST_PROP(ApplyProperty, MinmaxStaysInRangeAndKeepsOrder, ()) {
  Bench bench;
  const Dataset data = testing::rough_data(*rc::gen::arbitrary<std::uint64_t>());
  const auto before = all_values(data);
  const auto after =
      all_values(apply(normalizing(Normalization::query_minmax), data, bench.context));
  const std::size_t features = data.features();
  for (std::size_t q = 0; q < data.queries(); ++q)
    for (std::size_t i = data.begin(q) * features; i < data.end(q) * features; ++i) {
      RC_ASSERT(std::isnan(before[i]) == std::isnan(after[i]));
      if (std::isnan(before[i])) continue;
      RC_ASSERT(after[i] >= 0 && after[i] <= 1);
      for (std::size_t j = i + features; j < data.end(q) * features; j += features)
        if (before[j] < before[i]) RC_ASSERT(after[j] < after[i]);
    }
}

}  // namespace
}  // namespace podium::transform_apply_test
