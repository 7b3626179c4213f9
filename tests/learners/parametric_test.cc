#include <cmath>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learners/parametric/objective.h"
#include "learners/parametric/query_batches.h"
#include "learners/parametric/training.h"
#include "podium/error.h"
#include "support/toy_data.h"

namespace podium::parametric_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

struct Notes : Observer {
  std::vector<std::string> notes;
  void note(std::string_view text) override { notes.emplace_back(text); }
};

TrainingProblem problem_of(const Dataset& train, const Dataset* valid) {
  const Convention& convention = find_convention("podium");
  return {train, valid, parse_measure("nDCG@10", convention), convention};
}

TrainingResult fit(const Dataset& train, const Dataset* valid, std::string_view loss,
                   const ParametricOptions& options, int threads = 1) {
  Bench bench(threads);
  return train_by_gradients(problem_of(train, valid), *parse_loss(loss), options, bench.context);
}

// Long lists, so that blocks and chunks have several parts, with missing values.
Dataset with_gaps() {
  const Dataset data = noisy_linear(9, 150, 5, 4);
  DatasetParts parts = data.parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  for (std::size_t i = 0; i < values.size(); i += 23)
    values[i] = std::numeric_limits<float>::quiet_NaN();
  parts.dense = std::move(values);
  return Dataset(std::move(parts));
}

// The slope along random directions against central differences of the value, up to `tolerance` of
// the gradient's length.
void expect_true_gradient(ScoringFunction& function, const Dataset& data, std::string_view loss,
                          double step, double tolerance) {
  Bench bench(2);
  std::vector<double> offset(data.documents());
  Random random(3);
  for (double& x : offset) x = random.uniform();
  ParametricObjective objective(function, data, *parse_loss(loss), offset, bench.context);
  objective.set_weight_decay(0.3);
  std::vector<double> at = function.start(7);
  // Not along the padding of networks, which has no gradient, and away from 0 otherwise.
  std::vector<double> gradient(at.size()), ignored(at.size());
  for (double& x : at)
    if (x != 0 || at.size() <= data.features() + 1) x += 0.2 * (random.uniform() - 0.5);
  objective.evaluate(at, gradient);
  double norm = 0;
  for (const double g : gradient) norm += g * g;
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<double> up = at, down = at;
    double slope = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double d = gradient[i] != 0 ? random.uniform() - 0.5 : 0;
      slope += d * gradient[i];
      up[i] += step * d;
      down[i] -= step * d;
    }
    const double difference =
        (objective.evaluate(up, ignored) - objective.evaluate(down, ignored)) / (2 * step);
    EXPECT_NEAR(slope, difference, tolerance * std::sqrt(norm)) << loss;
  }
}

TEST(ParametricObjective, LinearGradientIsTheSlope) {
  const Dataset data = with_gaps();
  Bench bench;
  for (const char* loss : {"softmax", "logistic-pairs", "squared"}) {
    const Bias bias = std::string_view(loss) == "squared" ? Bias::fitted : Bias::none;
    const auto function = linear_function(data, bias, nullptr, bench.context);
    expect_true_gradient(*function, data, loss, 1e-5, 1e-7);
  }
}

TEST(ParametricObjective, NetworkGradientIsTheSlope) {
  const Dataset data = with_gaps();
  Bench bench;
  const std::vector<std::size_t> hidden = {20, 7};
  for (const auto activation : {Mlp::Activation::tanh, Mlp::Activation::relu})
    for (const char* loss : {"softmax", "logistic-pairs", "squared"}) {
      const auto function = mlp_function(data, hidden, activation, bench.context);
      expect_true_gradient(*function, data, loss, 1e-3, 2e-3);
    }
}

TEST(ParametricObjective, QueriesWithoutAnOrderAreLeftOut) {
  const Dataset data = make_dataset({2, 2, 1}, 1, {1, 2, 3, 4, 5}, {1, 0, 1, 1, 0});
  Bench bench;
  const auto function = linear_function(data, Bias::none, nullptr, bench.context);
  const ParametricObjective objective(*function, data, *parse_loss("softmax"), {}, bench.context);
  EXPECT_EQ(objective.skipped(), 2U);
  const Dataset flat = make_dataset({2}, 1, {1, 2}, {1, 1});
  const auto none = linear_function(flat, Bias::none, nullptr, bench.context);
  EXPECT_THROW(ParametricObjective(*none, flat, *parse_loss("softmax"), {}, bench.context), Error);
}

TEST(ParametricObjective, LossesOfSeveralOutputsAreRefused) {
  const Dataset data = noisy_linear(5, 10, 3, 1);
  try {
    fit(data, nullptr, "multinomial", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
  }
}

TEST(QueryBatches, EveryEpochHoldsEveryQueryOnce) {
  const Dataset data = noisy_linear(50, 3, 2, 1);
  std::vector<std::size_t> queries;
  for (std::size_t q = 0; q < 50; q += 1 + q % 2) queries.push_back(q);
  Bench bench;
  const QueryBatches batches(data, queries, 8, bench.context);
  const auto first = batches.epoch(1), second = batches.epoch(2);
  EXPECT_NE(first, second);
  std::vector<std::size_t> seen;
  for (const auto& batch : first) {
    EXPECT_LE(batch.size(), 8U);
    seen.insert(seen.end(), batch.begin(), batch.end());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, queries);
}

// Ridge regression and L-BFGS decay different weights, but without decay both must find the same
// optimum of the squared loss.
TEST(GradientTraining, LbfgsFindsTheExactSolution) {
  const Dataset data = noisy_linear(40, 15, 4, 9);
  ParametricOptions options;
  options.optimizer = Optimizer::lbfgs;
  options.weight_decay = "0";
  options.tolerance = 1e-10;
  options.epochs = 1000;
  const auto result = fit(data, nullptr, "query-squared", options);
  Bench bench;
  const auto exact = learners()
                         .make("linear", {{"l2", "1e-14"}})
                         ->with_loss(parse_loss("query-squared"))
                         ->train(problem_of(data, nullptr), bench.context);
  EXPECT_EQ(result.termination, Termination::converged);
  const auto& weights = std::get<Linear>(result.model).weights;
  for (std::size_t f = 0; f < weights.size(); ++f)
    EXPECT_NEAR(weights[f], std::get<Linear>(exact.model).weights[f], 1e-6);
}

// The certificate of cutting planes is a lower bound of the optimum of ½‖w‖² + C · risk. With
// features whose deviation within queries is 1 both trainers decay the same weights, by 1/C.
TEST(GradientTraining, LbfgsAgreesWithTheCuttingPlanesCertificate) {
  const Dataset raw = noisy_linear(30, 12, 3, 2);
  Bench bench;
  const auto unit = linear_function(raw, Bias::none, nullptr, bench.context);
  const Linear scale = std::get<Linear>(unit->model(std::vector<double>(3, 1.0)));
  DatasetParts parts = raw.parts();
  std::vector<float> values(parts.dense.view().begin(), parts.dense.view().end());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] *= static_cast<float>(scale.weights[i % 3]);
  parts.dense = std::move(values);
  const Dataset data(std::move(parts));
  const auto planes =
      learners()
          .make("linear", {{"optimizer", "cutting-plane"}, {"C", "10"}, {"epsilon", "1e-7"}})
          ->with_loss(parse_loss("softmax"))
          ->train(problem_of(data, nullptr), bench.context);
  ParametricOptions options;
  options.optimizer = Optimizer::lbfgs;
  options.weight_decay = "0.1";
  options.tolerance = 1e-9;
  const auto result = fit(data, nullptr, "softmax", options);
  const double objective = 10 * result.log.back().values[0].second;
  EXPECT_NEAR(objective, planes.certificate->primal, 1e-5 * objective);
  EXPECT_GE(objective, planes.certificate->dual - 1e-5 * objective);
}

TEST(GradientTraining, SameBitsForAnyNumberOfThreads) {
  const Dataset train = with_gaps(), valid = noisy_linear(8, 30, 5, 6);
  for (const char* hidden : {"", "9,5"})
    for (const Optimizer optimizer : {Optimizer::lbfgs, Optimizer::adam, Optimizer::sgd}) {
      ParametricOptions options;
      options.hidden = hidden;
      options.optimizer = optimizer;
      options.epochs = 12;
      options.batch_queries = 3;
      const auto one = fit(train, &valid, "softmax", options, 1);
      Bench bench;
      const auto expected = score(one.model, train, bench.context);
      for (const int threads : {2, 4}) {
        const auto other = fit(train, &valid, "softmax", options, threads);
        EXPECT_EQ(score(other.model, train, bench.context), expected)
            << hidden << static_cast<int>(optimizer);
        ASSERT_EQ(other.log.size(), one.log.size());
        for (std::size_t i = 0; i < one.log.size(); ++i)
          EXPECT_EQ(other.log[i].values, one.log[i].values);
      }
    }
}

TEST(GradientTraining, KeepsTheBestIterationAndStopsAfterIt) {
  const Dataset train = noisy_linear(20, 20, 6, 1), valid = noisy_linear(10, 20, 6, 2);
  ParametricOptions options;
  options.hidden = "16";
  options.learning_rate = 0.05;
  options.weight_decay = "0";
  options.early_stopping = 5;
  options.epochs = 200;
  const auto result = fit(train, &valid, "logistic-pairs", options);
  ASSERT_EQ(result.termination, Termination::early_stopping);
  EXPECT_EQ(static_cast<std::int64_t>(result.log.size()), result.best_iteration + 5);
  double best = 0;
  for (const Iteration& step : result.log) best = std::max(best, step.values.back().second);
  EXPECT_EQ(result.log[static_cast<std::size_t>(result.best_iteration) - 1].values.back().second,
            best);
  Bench bench;
  const auto problem = problem_of(train, &valid);
  EXPECT_EQ(evaluate(problem.measure, problem.convention, valid,
                     score(result.model, valid, bench.context), bench.context),
            best);
}

// An absurd learning rate: training stops, reports where and why, and returns the best previous
// model.
TEST(GradientTraining, DivergenceKeepsTheBestModelAndIsExplained) {
  const Dataset train = noisy_linear(20, 20, 6, 1);
  for (const char* hidden : {"", "8"}) {
    ParametricOptions options;
    options.hidden = hidden;
    options.optimizer = Optimizer::sgd;
    options.learning_rate = 2;
    options.schedule = Schedule::constant;
    options.batch_queries = 20;  // one step per epoch
    ThreadPool pool(1);
    const auto comm = make_local_communicator();
    Notes notes;
    Context context{1, pool, *comm, notes};
    const auto result =
        train_by_gradients(problem_of(train, nullptr), *parse_loss("squared"), options, context);
    EXPECT_EQ(result.termination, Termination::numerical_limit);
    ASSERT_EQ(notes.notes.size(), 1U);
    EXPECT_NE(notes.notes[0].find("iteration"), std::string::npos);
    EXPECT_NE(notes.notes[0].find("‹learning-rate 2›"), std::string::npos);
    double lowest = HUGE_VAL;
    for (const Iteration& step : result.log) lowest = std::min(lowest, step.values[0].second);
    EXPECT_EQ(result.log[static_cast<std::size_t>(result.best_iteration) - 1].values[0].second,
              lowest);
    for (const double s : score(result.model, train, context)) EXPECT_TRUE(std::isfinite(s));
  }
}

TEST(GradientTraining, NoFiniteModelIsAnError) {
  const Dataset train = noisy_linear(20, 20, 6, 1);
  ParametricOptions options;
  options.optimizer = Optimizer::sgd;
  options.learning_rate = 1e12;
  try {
    fit(train, nullptr, "squared", options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::training);
    EXPECT_NE(error.message().find("iteration 1"), std::string::npos);
  }
}

TEST(GradientTraining, StopsOnRequest) {
  const Dataset train = noisy_linear(20, 20, 6, 1);
  for (const Optimizer optimizer : {Optimizer::lbfgs, Optimizer::adam}) {
    ParametricOptions options;
    options.optimizer = optimizer;
    Bench bench;
    std::stop_source source;
    bench.context.stop = source.get_token();
    source.request_stop();
    const auto result = train_by_gradients(problem_of(train, nullptr), *parse_loss("softmax"),
                                           options, bench.context);
    EXPECT_EQ(result.termination, Termination::stopped);
    EXPECT_EQ(result.log.size(), 1U);
  }
}

TEST(GradientTraining, ContinuesFromAModel) {
  const Dataset train = noisy_linear(30, 20, 6, 1);
  for (const char* hidden : {"", "8"}) {
    ParametricOptions options;
    options.hidden = hidden;
    options.optimizer = Optimizer::lbfgs;
    options.epochs = 5;
    const auto first = fit(train, nullptr, "softmax", options);
    TrainingProblem problem = problem_of(train, nullptr);
    problem.start.model = &first.model;
    Bench bench;
    const auto second = train_by_gradients(problem, *parse_loss("softmax"), options, bench.context);
    EXPECT_LT(second.log[0].values[0].second, first.log.back().values[0].second);
    options.hidden = *hidden ? "" : "8";
    EXPECT_THROW(train_by_gradients(problem, *parse_loss("softmax"), options, bench.context),
                 Error);
  }
}

// With the scores of a perfect model as offsets there is nothing left to learn.
TEST(GradientTraining, OffsetsAreAddedToTheScores) {
  const Dataset train = noisy_linear(30, 20, 6, 1);
  std::vector<double> offset;
  for (const float label : train.labels()) offset.push_back(label);
  TrainingProblem problem = problem_of(train, nullptr);
  problem.start.train_offset = offset;
  Bench bench;
  const auto result = train_by_gradients(problem, *parse_loss("squared"), {}, bench.context);
  for (const double w : std::get<Linear>(result.model).weights) EXPECT_NEAR(w, 0, 1e-9);
}

TEST(GradientTraining, RestartsReturnTheBest) {
  const Dataset train = noisy_linear(20, 20, 6, 1), valid = noisy_linear(10, 20, 6, 2);
  ParametricOptions options;
  options.hidden = "4";
  options.epochs = 8;
  const auto best_of = [&](const TrainingResult& result) {
    double best = 0;
    for (const Iteration& step : result.log) best = std::max(best, step.values.back().second);
    return best;
  };
  const double once = best_of(fit(train, &valid, "softmax", options));
  options.restarts = 3;
  const auto result = fit(train, &valid, "softmax", options);
  EXPECT_EQ(result.log.size(), 24U);
  EXPECT_GE(best_of(result), once);
  ASSERT_EQ(result.chosen.size(), 1U);
  EXPECT_EQ(result.chosen[0].first, "restart");
  EXPECT_EQ(result.best_iteration, [&] {
    std::int64_t at = 0;
    double best = -1;
    for (const Iteration& step : result.log)
      if (step.values.back().second > best) {
        best = step.values.back().second;
        at = step.number;
      }
    return at;
  }());
}

TEST(GradientTraining, BadOptionsAreUsageErrors) {
  const Dataset train = noisy_linear(5, 10, 3, 1);
  const auto code = [&](ParametricOptions options) {
    try {
      fit(train, nullptr, "softmax", options);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::file;
  };
  ParametricOptions options;
  for (const char* hidden : {"0", "8,", "x", "-3", "99999999"}) {
    options.hidden = hidden;
    EXPECT_EQ(code(options), ErrorCode::usage) << hidden;
  }
  options.hidden = "";
  for (const char* decay : {"-1", "much", "0.1,0.01"}) {
    options.weight_decay = decay;
    EXPECT_EQ(code(options), ErrorCode::usage) << decay;
  }
}

// The λ-gradients of [Burges06] are the default; LightGBM's scaling and truncation, the defaults of
// the loss and of `lambdamart`, are options.
TEST(LambdaRank, ThePlainRuleIsTheDefault) {
  const auto loss = [](const Assignments& options) {
    return (*learners().make("lambdarank", options)->loss())->name();
  };
  EXPECT_EQ(loss({}), "lambda-ndcg(truncation=0,norm=none)");
  EXPECT_EQ(loss({{"objective", "p"}}), "lambda-p(truncation=0,norm=none)@10");
  EXPECT_EQ(loss({{"norm", "lightgbm"}, {"truncation", "30"}}), "lambda-ndcg");
  EXPECT_EQ((*learners().make("lambdamart", {})->loss())->name(), "lambda-ndcg");
}

TEST(LambdaRank, TheObjectiveIsAMeasureWithTheValuesOfTheOptions) {
  const auto loss = [](Assignments options) {
    options.emplace_back("norm", "lightgbm");
    options.emplace_back("truncation", "30");
    return (*learners().make("lambdarank", options)->loss())->name();
  };
  EXPECT_EQ(loss({{"objective", "P"}}), "lambda-p@10");
  EXPECT_EQ(loss({{"objective", "p@5"}}), "lambda-p@5");
  EXPECT_EQ(loss({{"objective", "ndcg_cut_5"}}), "lambda-ndcg(gain=linear)@5");  // as trec_eval
  EXPECT_EQ(loss({{"objective", "nDCG@5"}, {"k", "20"}}), "lambda-ndcg@20");
  EXPECT_EQ(loss({{"gain", "linear"}, {"discount", "letor"}, {"k", "3"}}),
            "lambda-ndcg(gain=linear,discount=letor)@3");
  const auto option_of = [&](const Assignments& options) {
    try {
      loss(options);
    } catch (const Error& error) {
      return error.option() + " " + error.message();
    }
    return std::string();
  };
  EXPECT_THAT(option_of({{"objective", "nothing"}}), ::testing::StartsWith("objective "));
  EXPECT_THAT(option_of({{"objective", "ap"}, {"gain", "linear"}}),
              ::testing::HasSubstr("AP has no parameter 'gain'"));
}

TEST(LambdaRank, NormAndTruncationGiveTheLossOfThatName) {
  const Dataset data = noisy_linear(20, 40, 4, 5);
  const auto trained = [&](const Assignments& options, std::string_view loss) {
    Bench bench;
    auto learner = learners().make("lambdarank", options);
    if (!loss.empty()) learner = learner->with_loss(parse_loss(loss));
    const TrainingProblem problem = problem_of(data, nullptr);
    return std::get<Linear>(learner->train(problem, bench.context).model).weights;
  };
  const Assignments few = {{"epochs", "5"}};
  const Assignments old = {{"epochs", "5"}, {"norm", "lightgbm"}, {"truncation", "30"}};
  EXPECT_EQ(trained(old, ""), trained(few, "lambda-ndcg(sigma=1)"));
  EXPECT_EQ(trained(few, ""), trained(few, "lambda-ndcg(norm=none,truncation=0)"));
  EXPECT_NE(trained(old, ""), trained(few, ""));
}

}  // namespace
}  // namespace podium::parametric_test
