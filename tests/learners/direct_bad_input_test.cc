// Data problems of real files: learners that search or boost a measure stay finite, use the
// available information, and end in bounded time.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "learners/direct_search/direct_search.h"
#include "learners/train_on_toys.h"

namespace podium::direct_bad_input_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::random_data;
using testing::train;
using testing::value_of;

class DirectBadInput : public ::testing::TestWithParam<const char*> {
 protected:
  Assignments options() const {
    const std::string learner = GetParam();
    if (learner == "directrank") return {{"restarts", "3"}, {"kicks", "2"}};
    if (learner == "directrank-trees") return {{"trees", "10"}, {"min-docs", "1"}, {"leaves", "4"}};
    if (learner == "coordinate-ascent") return {{"restarts", "1"}};
    return {{"rounds", "20"}};
  }
  TrainingResult trained(const Dataset& data, const std::string& measure = "nDCG@5") const {
    return train(GetParam(), data, options(), measure);
  }
  static void expect_finite(const Model& model, const Dataset& data) {
    Bench bench;
    for (const double s : score(model, data, bench.context)) EXPECT_TRUE(std::isfinite(s));
  }
};

TEST_P(DirectBadInput, ConstantDuplicatedAndHugeFeaturesAndQueriesOfOne) {
  Random random(2);
  std::vector<float> values, labels;
  const std::vector<std::size_t> lengths = {1, 12, 9, 1, 20};
  for (std::size_t q = 0; q < lengths.size(); ++q)
    for (std::size_t i = 0; i < lengths[q]; ++i) {
      const float x = static_cast<float>(random.uniform());
      const float huge = random.below(2) ? 1e30F : -1e30F;
      values.insert(values.end(), {7, x, x, huge, static_cast<float>(q), -3e38F});
      labels.push_back(static_cast<float>(x > 0.5F) + static_cast<float>(random.below(2)));
    }
  const Dataset data = make_dataset(lengths, 6, values, labels);
  const auto result = trained(data);
  expect_finite(result.model, data);
  const Linear constant{std::vector<double>(6), 0};
  EXPECT_GT(value_of(result.model, data), value_of(constant, data) + 0.05);
}

TEST_P(DirectBadInput, TwentyThousandIdenticalDocuments) {
  constexpr std::size_t kMany = 20000;
  std::vector<float> values, labels;
  for (std::size_t i = 0; i < kMany; ++i) {
    values.insert(values.end(), {1, 2});
    labels.push_back(static_cast<float>(i % 2));
  }
  values.insert(values.end(), {0, 3, 2, 0, 0, 3, 2, 0});
  labels.insert(labels.end(), {2, 0, 2, 0});
  const Dataset data = make_dataset({kMany + 2, 2}, 2, values, labels);
  for (const std::string measure : {"nDCG@5", "AP"}) {
    const auto result = trained(data, measure);
    expect_finite(result.model, data);
    if (GetParam() == std::string("directrank")) {
      EXPECT_GE(value_of(result.model, data, measure),
                value_of(Linear{{-1, 1}, 0}, data, measure) - 1e-12);
    }
  }
}

TEST_P(DirectBadInput, QueriesOfWeightZeroAreIgnored) {
  // The second half contradicts the first.
  std::vector<float> values, labels, weights;
  Random random(3);
  for (int q = 0; q < 20; ++q) {
    weights.push_back(q < 10 ? 1.0F : 0.0F);
    for (int i = 0; i < 8; ++i) {
      const float x = static_cast<float>(random.uniform());
      values.push_back(x);
      labels.push_back(static_cast<float>((x > 0.5F) == (q < 10)));
    }
  }
  DatasetParts parts;
  std::vector<std::uint64_t> begin = {0};
  std::vector<std::string> qids;
  for (int q = 0; q < 20; ++q) {
    begin.push_back(begin.back() + 8);
    qids.push_back("q" + std::to_string(q));
  }
  parts.query_begin = std::move(begin);
  parts.qids = make_strings(qids);
  parts.labels = std::move(labels);
  parts.query_weights = std::move(weights);
  parts.features = 1;
  parts.dense = std::move(values);
  const Dataset data(std::move(parts));
  const auto result = trained(data);
  EXPECT_NEAR(value_of(result.model, data), 1, 1e-9);  // weighted: of the first half
}

INSTANTIATE_TEST_SUITE_P(Learners, DirectBadInput,
                         ::testing::Values("directrank", "directrank-trees", "coordinate-ascent",
                                           "adarank", "rankboost"),
                         [](const auto& row) {
                           std::string name = row.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST(DirectRank, ConstantFeaturesGetNoWeight) {
  Random random(2);
  std::vector<float> values, labels;
  const std::vector<std::size_t> lengths = {1, 12, 9, 1, 20};
  for (std::size_t q = 0; q < lengths.size(); ++q)
    for (std::size_t i = 0; i < lengths[q]; ++i) {
      const float x = static_cast<float>(random.uniform());
      values.insert(values.end(), {7, x, static_cast<float>(q), -3e38F});
      labels.push_back(static_cast<float>(random.below(3)));
    }
  const Dataset data = make_dataset(lengths, 4, values, labels);
  for (const std::string point : {"middle", "plackett-luce"}) {
    const auto result = train("directrank", data, {{"point", point}});
    const auto& weights = std::get<Linear>(result.model).weights;
    for (const std::size_t f : {0, 2, 3}) EXPECT_EQ(weights[f], 0);
    EXPECT_GE(value_of(result.model, data), value_of(Linear{{0, 1, 0, 0}, 0}, data));
  }
  const Dataset still = make_dataset({3, 2}, 1, {5, 5, 5, 6, 6}, {0, 1, 2, 0, 1});
  EXPECT_EQ(std::get<Linear>(train("directrank", still).model).weights, std::vector<double>{0});
}

// With weights of 0 all documents tie. On separable data the best interval of the first search is
// unbounded; the weight in it must be finite.
TEST(DirectSearch, ZeroWeightsAndUnboundedIntervals) {
  const Dataset separable =
      make_dataset({4, 3}, 2, {0, 5, 1, 1, 2, 2, 3, 9, 0, 4, 1, 1, 2, 7}, {0, 0, 1, 2, 0, 1, 2});
  const Dataset noise = random_data(10, 12, 2, 4);
  const MeasurePtr measure = parse_measure("nDCG@5", testing::podium_convention());
  for (const auto point : {StepRule::Point::middle, StepRule::Point::plackett_luce})
    for (const Dataset* data : {&separable, &noise}) {
      Bench bench;
      const SearchSpace space(*data, measure, testing::podium_convention(), nullptr,
                              {.step = {point}}, bench.context);
      Climb climb(space, {{0, 0}}, bench.context);
      const double before = climb.value();
      for (int round = 0; round < 5; ++round) climb.round([] { return false; }, bench.context);
      for (const double w : climb.weights()) EXPECT_TRUE(std::isfinite(w));
      EXPECT_GT(climb.value(), before);
      if (data == &separable) {
        EXPECT_EQ(climb.value(), 1);
      }
    }
}

TEST(DirectSearch, AHugeFeatureIsSearchedExactly) {
  Random random(5);
  std::vector<float> values, labels;
  for (int i = 0; i < 60; ++i) {
    const float x = static_cast<float>(random.uniform());
    values.insert(values.end(), {x, (x - 0.5F) * 2e30F});
    labels.push_back(static_cast<float>(x > 0.3F) + static_cast<float>(x > 0.8F));
  }
  const Dataset data = make_dataset({20, 20, 20}, 2, values, labels);
  const auto result = train("directrank", data, {{"starts", ""}, {"restarts", "3"}});
  EXPECT_EQ(value_of(result.model, data), 1);
}

}  // namespace
}  // namespace podium::direct_bad_input_test
