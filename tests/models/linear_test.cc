#include "models/linear/linear.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/toy_data.h"

namespace podium::linear_test {
namespace {

using testing::Bench;
using testing::make_dataset;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// The same data in sparse storage, without zeros.
Dataset to_sparse(const Dataset& data) {
  DatasetParts parts = data.parts();
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  const Rows rows = data.rows(0, data.documents());
  for (std::size_t i = 0; i < data.documents(); ++i) {
    for (std::size_t f = 0; f < data.features(); ++f)
      if (const float x = rows.dense(i)[f]; x != 0) {
        columns.push_back(static_cast<std::uint32_t>(f));
        values.push_back(x);
      }
    begin.push_back(values.size());
  }
  parts.dense = {};
  parts.row_begin = std::move(begin);
  parts.columns = std::move(columns);
  parts.values = std::move(values);
  return Dataset(std::move(parts));
}

Dataset sample() {
  std::vector<float> values;
  Random random(7);
  for (int i = 0; i < 9000 * 5; ++i) {
    const double u = random.uniform();
    values.push_back(u < 0.3 ? 0 : u < 0.35 ? kMissing : static_cast<float>(u - 0.6));
  }
  return make_dataset(std::vector<std::size_t>(100, 90), 5, std::move(values),
                      std::vector<float>(9000));
}

TEST(Linear, ScoresWithMissingAsZero) {
  const Dataset data = make_dataset({2}, 5, {1, 2, 3, 4, 5, 1, kMissing, 0, 0, 2}, {0, 1});
  Bench bench;
  const auto scores = score(Linear{{1, 10, 100, 1000, 10000}, 0.5}, data, bench.pool);
  EXPECT_EQ(scores, (std::vector<double>{54321.5, 20001.5}));
}

TEST(Linear, DenseAndSparseAgree) {
  const Dataset dense = sample(), sparse = to_sparse(dense);
  Bench bench(2);
  const Linear model{{0.5, -1, 2, 0.25, 3}, 1};
  const auto a = score(model, dense, bench.pool), b = score(model, sparse, bench.pool);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
  const std::vector<double> ones(dense.documents(), 1.0);
  EXPECT_EQ(weighted_sum(dense, ones, bench.context), weighted_sum(sparse, ones, bench.context));
  EXPECT_EQ(moments_within(dense, ones, bench.context),
            moments_within(sparse, ones, bench.context));
  for (std::size_t f = 0; f < 5; ++f)
    EXPECT_EQ(feature_column(dense, f, bench.pool), feature_column(sparse, f, bench.pool));
}

TEST(Linear, SumsEqualTheDefinition) {
  const Dataset data = make_dataset({2}, 2, {1, 2, 3, kMissing}, {0, 0});
  Bench bench;
  const std::vector<double> c = {2, 10};
  EXPECT_EQ(weighted_sum(data, c, bench.context), (std::vector<double>{32, 4}));
  // Mean (32/12, 4/12), weight 12.
  const auto moments = moments_within(data, c, bench.context);
  const double expected[] = {92 - 32 * 32 / 12.0, 4 - 32 * 4 / 12.0, 4 - 32 * 4 / 12.0,
                             8 - 16 / 12.0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(moments[i], expected[i], 1e-12);
  const auto squares = squares_within(data, c, bench.context);
  EXPECT_NEAR(squares[0], expected[0], 1e-12);
  EXPECT_NEAR(squares[1], expected[3], 1e-12);
}

TEST(Linear, SameBitsForAnyNumberOfThreads) {
  const Dataset data = sample();
  std::vector<double> c(data.documents());
  Random random(8);
  for (double& x : c) x = random.uniform();
  Bench one(1), four(4);
  EXPECT_EQ(weighted_sum(data, c, one.context), weighted_sum(data, c, four.context));
  EXPECT_EQ(squares_within(data, c, one.context), squares_within(data, c, four.context));
  EXPECT_EQ(moments_within(data, c, one.context), moments_within(data, c, four.context));
}

}  // namespace
}  // namespace podium::linear_test
