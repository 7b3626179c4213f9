#include <cmath>

#include <gtest/gtest.h>

#include "learners/direct_search/coordinate_ascent_line.h"
#include "podium/error.h"
#include "podium/learner.h"
#include "support/toy_data.h"

namespace podium::coordinate_ascent_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

// Features of few values, so that scores tie; some queries without a relevant document.
Dataset lumpy(std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> lengths;
  std::vector<float> values, labels;
  for (int q = 0; q < 12; ++q) {
    lengths.push_back(1 + random.below(40));
    for (std::size_t i = 0; i < lengths.back(); ++i) {
      labels.push_back(q % 4 == 0 ? 0 : static_cast<float>(random.below(3)));
      for (int f = 0; f < 3; ++f) values.push_back(static_cast<float>(random.below(4 + 9 * f)));
    }
  }
  return make_dataset(lengths, 3, values, labels);
}

std::vector<double> column(const Dataset& data, std::size_t f) {
  std::vector<double> x;
  for (std::size_t i = 0; i < data.documents(); ++i) x.push_back(data.rows(i, i + 1).dense(0)[f]);
  return x;
}

TEST(MeasureLine, EveryTrialAgreesWithTheEvaluator) {
  for (const std::string name : {"podium", "letor", "trec", "lightgbm", "xgboost"})
    for (const std::string measure_name : {"nDCG@10", "AP", "GMAP", "RR", "tau"}) {
      const Convention& convention = find_convention(name);
      const MeasurePtr measure = parse_measure(measure_name, convention);
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Dataset data = lumpy(seed);
        Bench bench(2);
        MeasureLine line(data, measure, convention, bench.context);
        const auto expected = [&](double delta, const std::vector<double>& x) {
          std::vector<double> scores(line.scores().begin(), line.scores().end());
          for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += delta * x[i];
          return evaluate(measure, convention, data, scores, bench.context);
        };
        for (const std::size_t f : {1, 0, 2, 1})
          for (const auto direction : {MeasureLine::Direction::up, MeasureLine::Direction::down}) {
            const auto x = column(data, f);
            const double sign = direction == MeasureLine::Direction::up ? 1 : -1;
            line.begin(x, direction);
            double last = 0;
            for (double delta = 0.125; delta < 1e4; delta *= 2) {
              ASSERT_NEAR(line.trial(sign * delta), expected(sign * delta, x), 1e-12)
                  << name << " " << measure_name;
              if (line.finished()) {
                last = line.trial(sign * delta);
                ASSERT_NEAR(expected(sign * 1e6, x), last, 1e-12);
              }
            }
            line.begin(x, direction);
            const double at = line.trial(sign * 0.75);
            line.accept(sign * 0.75);
            ASSERT_NEAR(line.value(), at, 1e-12);
          }
      }
    }
}

TrainingResult train(const Dataset& data, const Assignments& options = {},
                     const Dataset* valid = nullptr) {
  Bench bench(2);
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, valid, parse_measure("nDCG@10", convention), convention, {}};
  return learners().make("coordinate-ascent", options)->train(problem, bench.context);
}

TEST(CoordinateAscent, NoPassWorsensTheTrainingMeasure) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = noisy_linear(20, 15, 5, seed);
    const auto result = train(data, {{"restarts", "3"}, {"tolerance", "0"}, {"max-passes", "6"}});
    double restart = 0, last = 0;
    for (const Iteration& step : result.log) {
      if (step.values[0].second == restart) {
        EXPECT_GE(step.values[1].second, last - 1e-12);
      }
      restart = step.values[0].second;
      last = step.values[1].second;
    }
    Bench bench;
    const Convention& convention = find_convention("podium");
    const double equal_weights =
        evaluate(parse_measure("nDCG@10", convention), convention, data,
                 score(Linear{std::vector<double>(5, 0.2), 0}, data, bench.context), bench.context);
    const double found = evaluate(parse_measure("nDCG@10", convention), convention, data,
                                  score(result.model, data, bench.context), bench.context);
    EXPECT_GT(found, equal_weights);
    EXPECT_NEAR(found,
                result.log[static_cast<std::size_t>(result.best_iteration - 1)].values[1].second,
                1e-12);
  }
}

TEST(CoordinateAscent, WeightsAreNormalised) {
  const auto model = std::get<Linear>(train(noisy_linear(20, 15, 5, 1)).model);
  double sum = 0;
  for (const double w : model.weights) sum += std::abs(w);
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(CoordinateAscent, BadInputsHaveDistinctErrors) {
  EXPECT_THROW(train(make_dataset({2, 1}, 1, {1, 2, 3}, {0, 0, 0})), Error);
  const auto constant = train(make_dataset({1, 3}, 2, {4, 1, 4, 1, 4, 1, 4, 1}, {1, 0, 1, 2}));
  for (const double w : std::get<Linear>(constant.model).weights) EXPECT_TRUE(std::isfinite(w));
  const auto huge = train(make_dataset({3}, 2, {1e30F, 1, -1e30F, 2, 5, 3}, {0, 1, 2}));
  for (const double w : std::get<Linear>(huge.model).weights) EXPECT_TRUE(std::isfinite(w));
}

}  // namespace
}  // namespace podium::coordinate_ascent_test
