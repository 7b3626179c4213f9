#include "models/linear/indicator_steps.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/preparation_support.h"
#include "models/linear/linear.h"
#include "podium/communicator.h"
#include "podium/transform.h"

namespace podium::indicator_steps_test {
namespace {

using testing::Bench;
using testing::make_dataset;

std::vector<double> some_numbers(std::size_t count, Random& random) {
  std::vector<double> numbers(count);
  for (double& x : numbers) x = random.uniform() - 0.5;
  return numbers;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << "place " << i;
}

// X w and Xᵀ c, both ways.
void expect_same_products(const Dataset& data, Random& random) {
  Bench bench(2);
  const auto steps = IndicatorSteps::find(data, bench.context);
  ASSERT_TRUE(steps);
  EXPECT_LT(4 * steps->steps().parts().columns.size(), data.documents() * data.features());
  const Linear model{some_numbers(data.features(), random), 0.25};
  expect_near(score({steps->sums_up_to(model.weights), model.bias}, steps->steps(), bench.pool),
              score(model, data, bench.pool));
  const auto c = some_numbers(data.documents(), random);
  expect_near(steps->sums_from(weighted_sum(steps->steps(), c, bench.context)),
              weighted_sum(data, c, bench.context));
}

RC_GTEST_PROP(IndicatorStepsProperty, ProductsAreThoseOfTheData, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Random random(seed);
  Bench bench;
  const Dataset raw = testing::noisy_linear(6, 20, 4, seed);
  for (const BinRule rule : {BinRule::quantile, BinRule::even}) {
    TransformOptions options;
    options.bins = *rc::gen::inRange(20, 60);
    options.bin_rule = rule;
    const Dataset binned = apply(fit_transform(options, raw, bench.context), raw, bench.context);
    expect_same_products(binned, random);
    if (!binned.is_dense()) continue;
    expect_same_products(testing::to_sparse(binned), random);
  }
}

TEST(IndicatorSteps, AreCutWhereARunOfAnotherRowBegins) {
  Bench bench;
  // Two features of five columns; the first row has all of both, the second has a missing value.
  const float m = testing::kMissing;
  const Dataset data = make_dataset({2, 1}, 10, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  //
                                                 1, 1, 1, 1, m, 1, 1, 1, 1, 0,  //
                                                 0, 0, 0, 0, 0, 1, 1, 1, 1, 1},
                                    {0, 1, 0});
  const auto steps = IndicatorSteps::find(data, bench.context);
  ASSERT_TRUE(steps);
  const auto columns = steps->steps().parts().columns.view();
  EXPECT_EQ(std::vector<std::uint32_t>(columns.begin(), columns.end()),
            (std::vector<std::uint32_t>{4, 9, 3, 8, 9}));
  Random random(3);
  expect_same_products(data, random);
}

TEST(IndicatorSteps, RanksHaveTheStepsOfAllData) {
  Bench bench;
  TransformOptions options;
  options.bins = 30;
  const Dataset raw = testing::noisy_linear(9, 15, 3, 4);
  const Dataset data = apply(fit_transform(options, raw, bench.context), raw, bench.context);
  Random random(5);
  const auto w = some_numbers(data.features(), random), c = some_numbers(data.documents(), random);
  const auto whole = IndicatorSteps::find(data, bench.context);
  ASSERT_TRUE(whole);
  const auto sums = whole->sums_from(weighted_sum(whole->steps(), c, bench.context));
  run_in_threads(3, [&](Communicator& comm) {
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::vector<std::size_t> queries = {3 * rank, 3 * rank + 1, 3 * rank + 2};
    const auto mine = IndicatorSteps::find(select_queries(data, queries), context);
    ASSERT_TRUE(mine);
    EXPECT_EQ(mine->sums_up_to(w), whole->sums_up_to(w));
    const auto part = std::span(c).subspan(data.begin(queries[0]), 45);
    EXPECT_EQ(mine->sums_from(weighted_sum(mine->steps(), part, context)), sums);
  });
}

TEST(IndicatorSteps, OtherDataHasNone) {
  Bench bench;
  std::vector<float> values(40, 1);
  EXPECT_TRUE(IndicatorSteps::find(make_dataset({2}, 20, values, {0, 1}), bench.context));
  values[33] = 0.5;
  EXPECT_FALSE(IndicatorSteps::find(make_dataset({2}, 20, values, {0, 1}), bench.context));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 2);
  EXPECT_FALSE(IndicatorSteps::find(make_dataset({2}, 20, values, {0, 1}), bench.context));
  EXPECT_FALSE(IndicatorSteps::find(make_dataset({2}, 20, std::vector<float>(40, 0), {0, 1}),
                                    bench.context));
}

}  // namespace
}  // namespace podium::indicator_steps_test
