#include <cmath>

#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/learner.h"
#include "support/toy_data.h"

namespace podium::linear_test {
namespace {

using testing::Bench;
using testing::make_dataset;

Linear fit(const Dataset& data, const Assignments& options) {
  Bench bench(2);
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@10", convention), convention};
  return std::get<Linear>(learners().make("linear", options)->train(problem, bench.context).model);
}

TEST(LinearLearner, RecoversAnExactLinearFunction) {
  Random random(1);
  std::vector<float> values, labels;
  for (int i = 0; i < 400; ++i) {
    const auto a = static_cast<float>(random.below(64)), b = static_cast<float>(random.below(64));
    values.insert(values.end(), {a, b, 5});  // the third is constant
    labels.push_back(2 * a - 0.5F * b + 3);
  }
  const Linear model = fit(make_dataset({100, 300}, 3, values, labels), {{"l2", "1e-12"}});
  EXPECT_NEAR(model.weights[0], 2, 1e-8);
  EXPECT_NEAR(model.weights[1], -0.5, 1e-8);
  EXPECT_EQ(model.weights[2], 0);
  EXPECT_NEAR(model.bias, 3, 1e-6);
}

// With two features the normal equations can be solved by hand.
TEST(LinearLearner, SolvesTheRidgeSystemWithinQueries) {
  const Dataset data = testing::noisy_linear(20, 15, 2, 5);
  const double lambda = 0.3;
  const Linear model = fit(data, {{"l2", "0.3"}});
  double c[2][2] = {}, r[2] = {};
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const Rows rows = data.rows(q);
    double mean[2] = {}, y = 0;
    for (std::size_t i = 0; i < 15; ++i) {
      for (std::size_t a = 0; a < 2; ++a) mean[a] += rows.dense(i)[a] / 15.0;
      y += data.labels(q)[i] / 15.0;
    }
    for (std::size_t i = 0; i < 15; ++i)
      for (std::size_t a = 0; a < 2; ++a) {
        r[a] += (rows.dense(i)[a] - mean[a]) * (data.labels(q)[i] - y);
        for (std::size_t b = 0; b < 2; ++b)
          c[a][b] += (rows.dense(i)[a] - mean[a]) * (rows.dense(i)[b] - mean[b]);
      }
  }
  const double c00 = c[0][0] * (1 + lambda), c11 = c[1][1] * (1 + lambda);
  const double determinant = c00 * c11 - c[0][1] * c[1][0];
  EXPECT_NEAR(model.weights[0], (r[0] * c11 - r[1] * c[0][1]) / determinant, 1e-9);
  EXPECT_NEAR(model.weights[1], (c00 * r[1] - c[1][0] * r[0]) / determinant, 1e-9);
  // The bias makes the mean score the mean label.
  Bench bench;
  const auto scores = score(Model(model), data, bench.context);
  double scored = 0, labelled = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scored += scores[i];
    labelled += data.labels()[i];
  }
  EXPECT_NEAR(scored, labelled, 1e-9);
}

TEST(LinearLearner, AddingAConstantToAQuerysLabelsChangesNoWeight) {
  const Dataset data = testing::noisy_linear(20, 15, 3, 6);
  DatasetParts parts = data.parts();
  std::vector<float> labels(data.labels().begin(), data.labels().end());
  for (std::size_t i = data.begin(7); i < data.end(7); ++i) labels[i] += 100;
  parts.labels = std::move(labels);
  const Linear a = fit(data, {{"l2", "0.1"}}), b = fit(Dataset(parts), {{"l2", "0.1"}});
  for (std::size_t f = 0; f < 3; ++f) EXPECT_NEAR(a.weights[f], b.weights[f], 1e-9);
}

TEST(LinearLearner, WeightsCountLikeRepeatedDocuments) {
  const std::vector<float> x = {0, 1, 3, 4}, y = {0, 2, 1, 4};
  DatasetParts parts = make_dataset({4}, 1, x, y).parts();
  parts.document_weights = std::vector<float>{1, 3, 1, 2};
  const Dataset repeated = make_dataset({7}, 1, {0, 1, 1, 1, 3, 4, 4}, {0, 2, 2, 2, 1, 4, 4});
  const Linear a = fit(Dataset(parts), {{"l2", "0.1"}}), b = fit(repeated, {{"l2", "0.1"}});
  EXPECT_NEAR(a.weights[0], b.weights[0], 1e-12);
  EXPECT_NEAR(a.bias, b.bias, 1e-12);
}

// With more than 2,000 features conjugate gradients are used: both methods must agree. Here
// features 5… are nearly useless noise, and the optimum is checked by its gradient.
TEST(LinearLearner, ManyFeaturesReachTheSameOptimum) {
  const std::size_t documents = 300, features = 2100;
  Random random(9);
  std::vector<float> values(documents * features), labels;
  for (float& v : values) v = random.below(50) == 0 ? static_cast<float>(random.uniform()) : 0;
  for (std::size_t i = 0; i < documents; ++i)
    labels.push_back(values[i * features] * 3 - values[i * features + 1]);
  const Dataset data = make_dataset({documents}, features, values, labels);
  const double lambda = 0.5;
  const Linear model = fit(data, {{"l2", "0.5"}});
  std::vector<double> error(documents);
  for (std::size_t i = 0; i < documents; ++i) {
    error[i] = model.bias - labels[i];
    for (std::size_t f = 0; f < features; ++f)
      error[i] += model.weights[f] * values[i * features + f];
  }
  for (std::size_t f = 0; f < features; f += 37) {
    double gradient = 0, mean = 0, square = 0;
    for (std::size_t i = 0; i < documents; ++i) {
      const double x = values[i * features + f];
      gradient += error[i] * x / documents;
      mean += x / documents;
      square += x * x / documents;
    }
    EXPECT_NEAR(gradient + lambda * (square - mean * mean) * model.weights[f], 0, 1e-7) << f;
  }
}

TEST(FeatureLearner, FindsTheFeatureByPlaceAndItsSign) {
  // Feature 2 orders every list in reverse, feature 1 two lists of three, feature 0 is constant.
  const Dataset data = make_dataset(
      {2, 2, 2}, 3, {1, 5, 0, 1, 1, 9, 1, 1, 0, 1, 5, 9, 1, 5, 0, 1, 1, 9}, {1, 0, 1, 0, 1, 0});
  Bench bench;
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@10", convention), convention};
  const auto weights = [&](const char* place) {
    const auto learner = learners().make("feature", {{"place", place}});
    return std::get<Linear>(learner->train(problem, bench.context).model).weights;
  };
  EXPECT_EQ(weights("1"), (std::vector<double>{0, 0, -1}));
  EXPECT_EQ(weights("3"), (std::vector<double>{1, 0, 0}));
  EXPECT_THROW(weights("4"), Error);
}

}  // namespace
}  // namespace podium::linear_test
