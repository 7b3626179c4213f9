// The four classification SVMs of [Yue07] differ only in their features and in the weight of good
// documents.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learners/train_on_toys.h"
#include "models/linear/linear.h"
#include "podium/error.h"
#include "podium/transform.h"

namespace podium::svm_acc_test {
namespace {

using testing::Bench;
using ::testing::Eq;
using testing::make_dataset;

// One good document in six. Every query has its own scale and offset, and the first feature is
// skewed, so that a document's percentile is not its position between the smallest and the largest
// value.
Dataset skewed_data(bool scaled = false) {
  Random random(7);
  std::vector<float> values, labels;
  const std::size_t queries = 12, documents = 18;
  for (std::size_t q = 0; q < queries; ++q) {
    const double scale = scaled ? 1 : std::pow(2.0, static_cast<double>(q % 5));
    for (std::size_t i = 0; i < documents; ++i) {
      const bool good = i % 6 == 0;
      const double skewed = std::pow(random.uniform(), 6.0) + (good ? 0.25 : 0);
      const double noisy = random.uniform() + (good ? 0.2 : 0);
      const double other = random.uniform();
      for (const double x : {skewed, noisy, other})
        values.push_back(static_cast<float>(scaled ? x : scale * (x + static_cast<double>(q % 3))));
      labels.push_back(good);
    }
  }
  const Dataset data =
      make_dataset(std::vector<std::size_t>(queries, documents), 3, values, labels);
  if (!scaled) return data;
  Bench bench;
  Transform minmax;
  minmax.normalization = Normalization::query_minmax;
  return apply(minmax, data, bench.context);
}

struct Trained {
  std::vector<double> weights, scores;
};

Trained trained(const Dataset& data, Assignments options, TransformOptions steps) {
  Bench bench;
  options.emplace_back("epsilon", "1e-5");
  if (std::none_of(options.begin(), options.end(), [](const auto& o) { return o.first == "C"; }))
    options.emplace_back("C", "0.1");
  const Dataset seen = apply(fit_transform(steps, data, bench.context), data, bench.context);
  const Model model = testing::train("svm-acc", seen, options, "AP").model;
  return {std::get<Linear>(model).weights, score(model, seen, bench.context)};
}
Trained trained(const Dataset& data, const Assignments& options) {
  return trained(data, options, learners().make("svm-acc", options)->preparation());
}

// The documents of every query, best first.
std::vector<std::vector<std::size_t>> rankings(const Dataset& data,
                                               const std::vector<double>& scores) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    auto& order = all.emplace_back(data.end(q) - data.begin(q));
    std::iota(order.begin(), order.end(), data.begin(q));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  }
  return all;
}

TEST(SvmAcc, TheFourVariantsRankDifferentlyWhereBalanceAndScalingMatter) {
  for (const bool scaled : {false, true}) {
    const Dataset data = skewed_data(scaled);
    std::map<std::string, std::vector<std::vector<std::size_t>>> found;
    for (const char* variant : {"acc", "acc2", "acc3", "acc4"})
      found[variant] = rankings(data, trained(data, {{"variant", variant}}).scores);
    for (const auto& [a, first] : found)
      for (const auto& [b, second] : found)
        if (a < b) {
          EXPECT_NE(first, second) << a << " and " << b << ", scaled: " << scaled;
        }
  }
}

TEST(SvmAcc, BalanceAndScalingAreSeparate) {
  const auto loss = [](const Assignments& options) {
    return (*learners().make("svm-acc", options)->loss())->name();
  };
  for (const char* variant : {"acc", "acc2", "acc3", "acc4"}) {
    const bool second = std::string(variant) == "acc2";
    EXPECT_THAT(loss({{"variant", variant}}), Eq(second ? "hinge(balance=true)" : "hinge"));
    EXPECT_THAT(loss({{"variant", variant}, {"balance", "yes"}}), Eq("hinge(balance=true)"));
    EXPECT_THAT(loss({{"variant", variant}, {"balance", "no"}}), Eq("hinge"));
  }
  const Dataset data = skewed_data();
  EXPECT_EQ(trained(data, {{"balance", "yes"}}).weights,
            trained(data, {{"variant", "acc2"}}).weights);
  EXPECT_EQ(trained(data, {{"variant", "acc2"}, {"balance", "no"}}).weights,
            trained(data, {}).weights);
  EXPECT_NE(trained(data, {{"variant", "acc4"}, {"balance", "yes"}}).weights,
            trained(data, {{"variant", "acc4"}}).weights);
  // Scaling alone turns acc into acc4.
  TransformOptions steps;
  steps.normalize = Normalization::query_minmax;
  steps.bins = 50;
  steps.bin_rule = BinRule::even;
  EXPECT_EQ(trained(data, {}, steps).weights, trained(data, {{"variant", "acc4"}}).weights);
}

TEST(SvmAcc, BalanceEqualsRepeatingGoodDocuments) {
  const Dataset data = skewed_data(true);
  std::vector<float> values, labels;
  std::vector<std::size_t> lengths;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const Rows rows = data.rows(q);
    const std::size_t before = labels.size();
    for (std::size_t i = 0; i < rows.documents(); ++i)
      for (int copy = 0; copy < (data.labels(q)[i] > 0 ? 5 : 1); ++copy) {  // 5 bad for each good
        values.insert(values.end(), rows.dense(i).begin(), rows.dense(i).end());
        labels.push_back(data.labels(q)[i]);
      }
    lengths.push_back(labels.size() - before);
  }
  const auto balanced = trained(data, {{"variant", "acc2"}, {"C", "0.01"}}).weights;
  const auto repeated = trained(make_dataset(lengths, 3, values, labels), {{"C", "0.01"}}).weights;
  const auto plain = trained(data, {{"C", "0.01"}}).weights;
  double apart = 0;
  for (std::size_t f = 0; f < balanced.size(); ++f) {
    EXPECT_NEAR(balanced[f], repeated[f], 0.01);
    apart = std::max(apart, std::abs(balanced[f] - plain[f]));
  }
  EXPECT_GT(apart, 0.05);
}

TEST(SvmAcc, TheThirdAndFourthCutAtFiftyEvenlySpacedThresholds) {
  Bench bench;
  const Dataset data = skewed_data();
  for (const char* variant : {"acc3", "acc4"}) {
    const Transform transform = fit_transform(
        learners().make("svm-acc", {{"variant", variant}})->preparation(), data, bench.context);
    EXPECT_EQ(transform.normalization, std::string(variant) == "acc3"
                                           ? Normalization::query_percentile
                                           : Normalization::query_minmax);
    for (const auto& cuts : transform.thresholds) {
      ASSERT_EQ(cuts.size(), 50U);
      for (std::size_t i = 0; i < 50; ++i) EXPECT_FLOAT_EQ(cuts[i], static_cast<float>(i + 1) / 51);
    }
    EXPECT_EQ(apply(transform, data, bench.context).features(), 150U);
  }
}

TEST(SvmAcc, OlderNamesOfTheVariantsStillWork) {
  const Dataset data = skewed_data();
  const std::map<std::string, std::string> names = {
      {"plain", "acc"}, {"balanced", "acc2"}, {"percentile", "acc3"}, {"minmax", "acc4"}};
  for (const auto& [old, now] : names)
    EXPECT_EQ(trained(data, {{"variant", old}}).weights, trained(data, {{"variant", now}}).weights);
  EXPECT_THROW(learners().make("svm-acc", {{"variant", "acc5"}}), Error);
}

}  // namespace
}  // namespace podium::svm_acc_test
