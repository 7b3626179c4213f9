// DirectRank: climbs never lower the measure, and find the optimum of small problems.
#include "learners/direct_search/direct_search.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "learners/direct_search/plackett_luce_point.h"
#include "learners/train_on_toys.h"
#include "podium/error.h"

namespace podium::direct_search_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;
using testing::random_data;
using testing::train;
using testing::value_of;

const Convention& convention() {
  return testing::podium_convention();
}

TEST(DirectSearch, NoRoundLowersTheMeasureAndTheScoresAreTheModels) {
  const Dataset data = random_data(20, 15, 6, 3);
  using Options = DirectSearchOptions;
  for (const auto directions : {Options::Directions::coordinates, Options::Directions::powell,
                                Options::Directions::gradient, Options::Directions::mixed})
    for (const auto order : {Options::Order::cyclic, Options::Order::greedy})
      for (const auto point : {StepRule::Point::middle, StepRule::Point::plackett_luce}) {
        Bench bench;
        Options options{directions, order, {point}};
        const auto loss = parse_loss("lambda-ndcg");
        const MeasurePtr measure = parse_measure("nDCG@5", convention());
        const SearchSpace space(data, measure, convention(), &*loss, options, bench.context);
        Climb climb(space, {{1, -1, 0.5, 0, -0.2, 0.1}}, bench.context);
        const double first = climb.value();
        double last = first;
        for (int round = 0; round < 6; ++round) {
          const auto outcome = climb.round([] { return false; }, bench.context);
          EXPECT_GE(climb.value(), last - 1e-12);
          EXPECT_NEAR(climb.value(), value_of(climb.model(), data), 1e-12);
          last = climb.value();
          if (outcome == Climb::Outcome::converged) break;
        }
        EXPECT_GT(last, first);
      }
}

TEST(DirectSearch, PenaltiesKeepStepsShort) {
  const Dataset data = random_data(20, 15, 6, 4);
  const MeasurePtr measure = parse_measure("nDCG@5", convention());
  const std::vector<double> start = {1, -1, 0.5, 0.3, -0.2, 0.1};
  const auto moved = [&](StepRule rule) {
    Bench bench;
    const SearchSpace space(data, measure, convention(), nullptr, {.step = rule}, bench.context);
    Climb climb(space, {start}, bench.context);
    const double before = climb.value();
    climb.round([] { return false; }, bench.context);
    EXPECT_GE(climb.value(), before - 1e-12);
    double sum = 0;
    for (std::size_t f = 0; f < start.size(); ++f) sum += std::abs(climb.weights()[f] - start[f]);
    return sum;
  };
  const double free = moved({});
  EXPECT_LT(moved({.l1 = 0.05}), free);
  EXPECT_LT(moved({.l2 = 0.05}), free);
  EXPECT_EQ(moved({.l1 = 1e6}), 0);
}

TEST(LineStep, DetectsIntervalsThatAreBoundedOnOneSide) {
  const Dataset data = make_dataset({2, 2}, 1, {1, 0, 0, 1}, {1, 0, 1, 0});
  const MeasurePtr measure = parse_measure("nDCG@5", convention());
  // The first query's good document is first from −1 on, the second's up to 1 or from 1 on.
  const std::vector<double> base = {0, -1, 0, -1}, up_to = {1, 0, -1, 0}, flat = {1, 1, 2, 2};
  const std::vector<double> low = {0, -1, -1, 0}, from = {1, 0, 1, 0};
  for (const StepRule rule : {StepRule{}, StepRule{StepRule::Point::plackett_luce},
                              StepRule{StepRule::Point::middle, 0.001}}) {
    Bench bench;
    const LineStep line(data, measure, convention(), rule, bench.context);
    const Step bounded = line.choose(base, up_to, 1, bench.context);
    EXPECT_EQ(bounded.value, 1);
    EXPECT_LT(std::abs(bounded.delta), 1);
    EXPECT_FALSE(bounded.unbounded);
    const Step open = line.choose(low, from, 1, bench.context);
    EXPECT_EQ(open.value, 1);
    EXPECT_GT(open.delta, 1);
    EXPECT_TRUE(open.unbounded);
    EXPECT_FALSE(line.choose(base, flat, 1, bench.context).unbounded);
  }
}

TEST(DirectSearch, CountsTheUnboundedStepsOfARound) {
  // The first feature finds the good document, the second has no information.
  const Dataset data = make_dataset({2}, 2, {1, 0, 0, 0}, {1, 0});
  const MeasurePtr measure = parse_measure("nDCG@5", convention());
  Bench bench;
  const SearchSpace space(data, measure, convention(), nullptr, {}, bench.context);
  Climb climb(space, {{-1, 0}}, bench.context);
  for (int round = 0; round < 2; ++round) {
    climb.round([] { return false; }, bench.context);
    EXPECT_EQ(climb.value(), 1);
    EXPECT_EQ(climb.unbounded_steps(), 1U);  // of this round
  }
}

TEST(DirectRank, FindsTheOptimumOfTwoFeatures) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Dataset data = random_data(8, 6, 2, seed);
    double best = 0;
    for (int k = 0; k < 20000; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / 20000;
      best = std::max(best, value_of(Linear{{std::cos(angle), std::sin(angle)}, 0}, data, "AP"));
    }
    for (const std::string order : {"cyclic", "greedy"}) {
      const auto result =
          train("directrank", data, {{"order", order}, {"objective", "AP"}}, "nDCG@5");
      EXPECT_GE(value_of(result.model, data, "AP"), best - 1e-9) << order << " " << seed;
    }
  }
}

TEST(DirectRank, BeatsItsStarts) {
  const Dataset data = noisy_linear(40, 15, 6, 5);
  const double ridge = value_of(train("linear", data).model, data);
  for (const std::string directions : {"coordinates", "powell", "gradient", "mixed"}) {
    const auto result = train(
        "directrank", data, {{"directions", directions}, {"restarts", "0"}, {"starts", "linear"}});
    EXPECT_GE(value_of(result.model, data), ridge) << directions;
  }
  const auto all = train("directrank", data);
  EXPECT_GT(value_of(all.model, data), ridge);
}

TEST(DirectRank, TheChoiceIsTheBestOfTheLog) {
  const Dataset data = noisy_linear(30, 15, 6, 6), valid = noisy_linear(20, 15, 6, 7);
  const auto result = train("directrank", data, {}, "nDCG@5", &valid);
  double best = 0;
  for (const Iteration& step : result.log)
    for (const auto& [name, value] : step.values)
      if (name == "valid nDCG@5") best = std::max(best, value);
  EXPECT_NEAR(value_of(result.model, valid), best, 1e-12);
}

TEST(DirectRank, StopsOnRequest) {
  const Dataset data = random_data(20, 15, 6, 8);
  Bench bench;
  std::stop_source source;
  bench.context.stop = source.get_token();
  source.request_stop();
  const TrainingProblem problem{data, nullptr, parse_measure("nDCG@5", convention()), convention()};
  const auto result =
      learners().make("directrank", {{"starts", ""}})->train(problem, bench.context);
  EXPECT_EQ(result.termination, Termination::stopped);
  EXPECT_EQ(result.log.size(), 20U);
}

TEST(DirectRank, RefusesUnsupportedOptions) {
  const Dataset data = noisy_linear(5, 5, 2, 1);
  EXPECT_THROW(train("directrank", data, {{"restarts", "0"}, {"starts", ""}}), Error);
  EXPECT_THROW(train("directrank", data, {{"starts", "mart"}}), Error);
  EXPECT_THROW(train("directrank", data, {{"starts", "ranksvn"}}), Error);
  EXPECT_THROW(
      train("directrank", data, {{"directions", "gradient"}, {"direction-loss", "multinomial"}}),
      Error);
  const Dataset no_good = make_dataset({2, 2}, 1, {1, 2, 3, 4}, {0, 0, 0, 0});
  EXPECT_THROW(train("directrank", no_good), Error);
}

// Golden section, which needs no derivative.
double golden_section(const std::function<double(double)>& f, double low, double high) {
  constexpr double kRatio = std::numbers::phi - 1;
  while (high - low > 1e-9) {
    const double a = high - kRatio * (high - low), b = low + kRatio * (high - low);
    (f(a) < f(b) ? low : high) = f(a) < f(b) ? a : b;
  }
  return (low + high) / 2;
}

TEST(PlackettLucePoint, IsTheMinimumOfTheLoss) {
  const Dataset data = random_data(10, 12, 2, 9);
  Random random(10);
  std::vector<double> base(data.documents()), direction(data.documents());
  for (double& b : base) b = 4 * random.uniform();
  for (double& a : direction) a = 2 * random.uniform() - 1;
  for (const int places : {1, 5, 12}) {
    const PlackettLucePoint point(data, static_cast<std::size_t>(places));
    const auto bound = parse_loss("listmle@" + std::to_string(places))->bind(data);
    const auto likelihood = [&](double alpha) {
      double sum = 0;
      for (std::size_t q = 0; q < data.queries(); ++q) {
        std::vector<double> s, out(data.end(q) - data.begin(q));
        for (std::size_t i = data.begin(q); i < data.end(q); ++i)
          s.push_back(base[i] + alpha * direction[i]);
        sum -= bound->evaluate(q, s, {out, {}});
      }
      return sum;
    };
    Bench bench(2);
    const double h = 1e-5;
    const auto slope = point.slope(base, direction, 0.3, bench.context);
    EXPECT_NEAR(slope.first, (likelihood(0.3 + h) - likelihood(0.3 - h)) / (2 * h), 1e-5);
    EXPECT_NEAR(slope.second,
                (likelihood(0.3 + h) - 2 * likelihood(0.3) + likelihood(0.3 - h)) / (h * h), 1e-3);
    for (const auto& [low, high] : std::vector<std::pair<double, double>>{
             {-50, 50}, {-1, 1}, {2, 3}, {-9, -4}, {0.1, 0.1001}}) {
      const double expected = golden_section(likelihood, low, high);
      const double found =
          point.best(base, direction, low, high, low + 0.1 * (high - low), bench.context);
      EXPECT_NEAR(found, expected, 2e-4 * (high - low)) << places << " " << low;
    }
  }
}

TEST(PlackettLucePoint, HandlesDistantScores) {
  const Dataset data = make_dataset({3}, 1, {0, 0, 0}, {2, 1, 0});
  const PlackettLucePoint point(data, 5);
  Bench bench;
  const std::vector<double> base = {1e6, 0, -1e6}, direction = {-1, 1, 0};
  const auto slope = point.slope(base, direction, 2e6, bench.context);
  EXPECT_TRUE(std::isfinite(slope.first) && std::isfinite(slope.second));
  EXPECT_LE(slope.second, 0);
  const double found = point.best(base, direction, 0, 1e7, 9e6, bench.context);
  EXPECT_TRUE(found >= 0 && found < 1e6) << found;
}

}  // namespace
}  // namespace podium::direct_search_test
