// Categories as numbers.
#include "data/transform/category_encoding.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io_support.h"
#include "data/preparation_support.h"
#include "podium/communicator.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::category_encoding_test {
namespace {

using testing::all_values;
using testing::Bench;
using ::testing::ElementsAre;
using testing::error_of;
using testing::kMissing;

// One category, "brand", and a number.
Dataset shop(const std::vector<std::size_t>& lengths, const std::vector<std::string>& brands,
             const std::vector<float>& codes, std::vector<float> labels) {
  std::vector<float> values;
  for (const float code : codes) values.insert(values.end(), {code, 7});
  DatasetParts parts =
      testing::make_dataset(lengths, 2, std::move(values), std::move(labels)).parts();
  parts.feature_names = {"brand", "price"};
  parts.schema = FeatureSchema({{0, make_strings(brands)}});
  return Dataset(std::move(parts));
}

const Dataset kTrain = shop({2, 2}, {"a", "b"}, {0, 1, 0, kMissing}, {2, 0, 1, 0});
// The value "c" is unseen, and "b" has another code.
const Dataset kOther = shop({3}, {"b", "c"}, {0, 1, kMissing}, {0, 0, 0});

Transform fitted(Encoding encoding, const Dataset& data, Context& context) {
  TransformOptions options;
  options.encode = encoding;
  return fit_transform(options, data, context);
}

TEST(CategoryEncoding, OneHotHasAnInputForEachValue) {
  Bench bench;
  const Transform transform = fitted(Encoding::automatic, kTrain, bench.context);
  ASSERT_EQ(transform.encodings.size(), 1U);
  EXPECT_EQ(transform.encodings[0].kind, Encoding::one_hot);
  const Dataset out = apply(transform, kOther, bench.context);
  EXPECT_THAT(out.feature_names(), ElementsAre("brand=a", "brand=b", "price"));
  EXPECT_TRUE(out.schema().all_numbers());
  EXPECT_THAT(all_values(out), ElementsAre(0, 1, 7, 0, 0, 7, 0, 0, 7));
}

TEST(CategoryEncoding, HashHasABucketForEachKnownValue) {
  Bench bench;
  const Dataset out = apply(fitted(Encoding::hash, kTrain, bench.context), kOther, bench.context);
  ASSERT_EQ(out.features(), kHashBuckets + 1);
  const auto values = all_values(out);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t b = 0; b < kHashBuckets; ++b)
      EXPECT_EQ(values[row * out.features() + b], row == 0 && b == hash_bucket("b"));
}

TEST(CategoryEncoding, TargetIsTheShrunkenMeanOfCentredLabels) {
  Bench bench;
  const Transform transform = fitted(Encoding::target, kTrain, bench.context);
  // a: +1 of the first query and +0.5 of the second; b: −1.
  EXPECT_THAT(transform.encodings[0].statistics, ElementsAre(1.5F / 12, -1.0F / 11));
  const Dataset out = apply(transform, kOther, bench.context);
  EXPECT_THAT(out.feature_names(), ElementsAre("brand:target", "price"));
  EXPECT_THAT(all_values(out), ElementsAre(-1.0F / 11, 7, 0, 7, 0, 7));
  EXPECT_EQ(to_json(transform_from_json(to_json(transform), "file")), to_json(transform));
}

// Values whose labels are random, and as many queries as groups.
Dataset random_brands(std::size_t queries, std::size_t values, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> names;
  for (std::size_t v = 0; v < values; ++v) names.push_back(std::to_string(100 + v));
  std::vector<float> codes, labels;
  for (std::size_t i = 0; i < 5 * queries; ++i) {
    codes.push_back(static_cast<float>(random.below(values)));
    labels.push_back(static_cast<float>(random.below(3)));
  }
  return shop(std::vector<std::size_t>(queries, 5), names, codes, std::move(labels));
}

Dataset with_labels(const Dataset& data, std::vector<float> labels) {
  DatasetParts parts = data.parts();
  parts.labels = std::move(labels);
  return Dataset(std::move(parts));
}

// By brute force: whatever the labels of one query are, its own statistics stay the same, and so do
// those of all queries before it; some query's change.
TEST(CategoryEncoding, AQuerysOwnLabelsNeverReachItsStatistics) {
  Bench bench;
  const Dataset data = random_brands(60, 4, 5);
  const std::vector<float> codes = column_of(data, 0);
  const auto before = ordered_statistics(codes, 4, data, bench.context);
  std::size_t changed_others = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    std::vector<float> labels(data.labels().begin(), data.labels().end());
    for (std::size_t d = data.begin(q); d < data.end(q); ++d)
      labels[d] = 100.0F * static_cast<float>(d - data.begin(q));
    const auto after =
        ordered_statistics(codes, 4, with_labels(data, std::move(labels)), bench.context);
    for (std::size_t d = data.begin(q); d < data.end(q); ++d) EXPECT_EQ(after[d], before[d]);
    changed_others += after != before;
  }
  EXPECT_GT(changed_others, data.queries() / 2);
}

TEST(CategoryEncoding, TrainingDataGetsOrderedStatistics) {
  Bench bench, four(4);
  const Dataset data = random_brands(60, 40, 3);
  const Transform transform = fitted(Encoding::target, data, bench.context);
  const auto training = all_values(apply_to_training(transform, data, bench.context));
  EXPECT_NE(training, all_values(apply(transform, data, bench.context)));
  EXPECT_EQ(training,
            all_values(apply_to_training(transform, testing::to_sparse(data), four.context)));
  const auto ordered = ordered_statistics(column_of(data, 0), 40, data, bench.context);
  for (std::size_t d = 0; d < data.documents(); ++d) EXPECT_EQ(training[2 * d], ordered[d]);
  bench.context.seed = 2;
  EXPECT_NE(training, all_values(apply_to_training(transform, data, bench.context)));
}

TEST(CategoryEncoding, RanksFindTheSameStatistics) {
  Bench bench;
  const Dataset data = random_brands(40, 6, 9);
  const Transform whole = fitted(Encoding::target, data, bench.context);
  const auto expected = all_values(apply_to_training(whole, data, bench.context));
  run_in_threads(3, [&](Communicator& comm) {
    const std::size_t begins[] = {0, 11, 11, 40};
    const auto rank = static_cast<std::size_t>(comm.rank());
    const Dataset mine = query_range(data, begins[rank], begins[rank + 1]);
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    const Transform transform = fitted(Encoding::target, mine, context);
    EXPECT_EQ(to_json(transform), to_json(whole));
    const auto values = all_values(apply_to_training(transform, mine, context));
    EXPECT_TRUE(std::equal(values.begin(), values.end(),
                           expected.begin() + static_cast<std::ptrdiff_t>(10 * begins[rank])));
  });
}

TEST(CategoryEncoding, RefusesAnInputForEachOfTooManyValues) {
  Bench bench;
  const Dataset data = random_brands(2, kMostOneHot + 1, 1);
  EXPECT_THAT(error_of([&] { fitted(Encoding::one_hot, data, bench.context); }),
              ::testing::HasSubstr("‹encode one-hot›: 'brand' has 10001 values"));
  EXPECT_EQ(fitted(Encoding::automatic, data, bench.context).encodings[0].kind, Encoding::target);
}

}  // namespace
}  // namespace podium::category_encoding_test
