#include "learners/boosting/boosting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "learners/permutation_importance.h"
#include "podium/error.h"
#include "support/toy_data.h"

namespace podium::boosting_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

const Convention& convention() {
  return find_convention("podium");
}

// The arguments of train_by_boosting().
struct Boosted {
  TrainingProblem problem;
  SharedLoss loss;
};

Boosted problem(const Dataset& train, const Dataset* valid, const std::string& loss) {
  return {{train, valid, parse_measure("nDCG@10", convention()), convention()}, parse_loss(loss)};
}

TrainingResult boost(const Boosted& boosted, const BoostingOptions& options, Context& context) {
  return train_by_boosting(boosted.problem, *boosted.loss, options, context);
}
TrainingResult boost(const Boosted& boosted, const BoostingOptions& options, int threads = 1) {
  Bench bench(threads);
  return boost(boosted, options, bench.context);
}

std::string text(const Model& model, std::size_t features) {
  SavedModel saved;
  for (std::size_t f = 0; f < features; ++f) saved.features.push_back(std::to_string(f + 1));
  saved.missing = "split";
  saved.model = model;
  return to_json(saved);
}

BoostingOptions small() {
  BoostingOptions options;
  options.trees = 20;
  options.leaves = 8;
  options.min_docs = 5;
  return options;
}

TEST(Boosting, TheLossFallsEveryRound) {
  const Dataset data = noisy_linear(50, 20, 5, 1);
  for (const char* loss : {"squared", "logistic-pairs", "softmax", "interval", "ordinal"}) {
    const auto result = boost(problem(data, nullptr, loss), small());
    ASSERT_EQ(result.log.size(), 20U);
    for (std::size_t i = 1; i < result.log.size(); ++i)
      EXPECT_LT(result.log[i].values[0].second, result.log[i - 1].values[0].second) << loss;
  }
}

// With squared error, a step of 1 and enough leaves, a tree gives each document the mean label of
// the documents with the same features.
TEST(Boosting, OneFullTreeIsTheMeanOfEachCell) {
  Random random(3);
  std::vector<float> values, labels;
  std::vector<double> sum(6), count(6);
  for (int i = 0; i < 300; ++i) {
    const std::size_t cell = random.below(6);
    values.push_back(static_cast<float>(cell));
    labels.push_back(static_cast<float>(random.below(5)));
    sum[cell] += labels.back();
    count[cell] += 1;
  }
  BoostingOptions options;
  options.trees = 1;
  options.learning_rate = 1;
  options.min_docs = 1;
  options.l2 = 0;
  const Dataset data = make_dataset({100, 200}, 1, values, labels);
  const auto result = boost(problem(data, nullptr, "squared"), options);
  Bench bench;
  const auto scores = score(result.model, data, bench.context);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto cell = static_cast<std::size_t>(values[i]);
    EXPECT_NEAR(scores[i], sum[cell] / count[cell], 1e-9);
  }
}

TEST(Boosting, KeepsTheBestRoundAndStopsAfterPatience) {
  const Dataset train = noisy_linear(40, 20, 5, 1), valid = noisy_linear(40, 20, 5, 2);
  BoostingOptions options = small();
  options.trees = 400;
  options.learning_rate = 0.5;
  options.early_stopping = 10;
  const auto result = boost(problem(train, &valid, "lambda-ndcg"), options);
  EXPECT_EQ(result.termination, Termination::early_stopping);
  const auto value = [&](std::size_t i) { return result.log[i].values[1].second; };
  std::size_t best = 0;
  for (std::size_t i = 0; i < result.log.size(); ++i)
    if (value(i) > value(best)) best = i;
  EXPECT_EQ(result.best_iteration, static_cast<std::int64_t>(best + 1));
  EXPECT_EQ(result.log.size(), best + 1 + 10);
  EXPECT_EQ(std::get<Forest>(result.model).trees.size(), best + 1);
  Bench bench;
  EXPECT_EQ(evaluate(parse_measure("nDCG@10", convention()), convention(), valid,
                     score(result.model, valid, bench.context), bench.context),
            value(best));
}

TEST(Boosting, ContinuingAModelIsTheSameAsNeverStopping) {
  const Dataset data = noisy_linear(40, 20, 5, 1);
  for (const char* loss : {"squared", "lambda-ndcg", "ordinal"}) {
    BoostingOptions options = small();
    options.query_fraction = 0.7;
    options.feature_fraction = 0.6;
    const auto whole = boost(problem(data, nullptr, loss), options);
    options.trees = 8;
    const auto part = boost(problem(data, nullptr, loss), options);
    options.trees = 12;
    Boosted more = problem(data, nullptr, loss);
    more.problem.start.model = &part.model;
    const auto rest = boost(more, options);
    EXPECT_EQ(text(rest.model, 5), text(whole.model, 5)) << loss;
    EXPECT_EQ(rest.best_iteration, 20);
  }
}

TEST(Boosting, StartsFromOffsetsAndFromAFeature) {
  const Dataset data = noisy_linear(40, 20, 5, 1);
  Bench bench;
  Boosted with_feature = problem(data, nullptr, "lambda-ndcg");
  with_feature.problem.start.offset_feature = 2;
  const auto a = boost(with_feature, small());
  std::vector<double> column(data.documents());
  for (std::size_t i = 0; i < column.size(); ++i)
    column[i] = data.rows(0, data.documents()).dense(i)[2];
  Boosted with_offset = problem(data, nullptr, "lambda-ndcg");
  with_offset.problem.start.train_offset = column;
  const auto b = boost(with_offset, small());
  const auto scores_a = score(a.model, data, bench.context),
             scores_b = score(b.model, data, bench.context);
  for (std::size_t i = 0; i < column.size(); ++i)
    EXPECT_NEAR(scores_a[i], scores_b[i] + column[i], 1e-9);
}

TEST(Boosting, ModelsAreTheSameBitsForAnyNumberOfRanks) {
  const Dataset data = noisy_linear(40, 20, 5, 1);
  BoostingOptions options = small();
  options.query_fraction = 0.8;
  for (const char* loss : {"squared", "lambda-ndcg", "ordinal", "interval"}) {
    const std::string alone = text(boost(problem(data, nullptr, loss), options).model, 5);
    for (const int ranks : {2, 3})
      run_in_threads(ranks, [&](Communicator& comm) {
        std::vector<std::size_t> mine;
        for (std::size_t q = 0; q < data.queries(); ++q)
          if (static_cast<int>(q * q % 7) % ranks == comm.rank()) mine.push_back(q);
        const Dataset part = select_queries(data, mine);
        ThreadPool pool(1);
        Observer silent;
        Context context{1, pool, comm, silent};
        EXPECT_EQ(text(boost(problem(part, nullptr, loss), options, context).model, 5), alone)
            << loss;
      });
  }
}

TEST(Boosting, NoiseFeaturesAreTheLeastImportant) {
  // Features 0…3 make the labels; 4…9 are noise.
  const Dataset signal = noisy_linear(120, 20, 4, 1);
  Random random(9);
  std::vector<float> values;
  for (std::size_t i = 0; i < signal.documents(); ++i) {
    const auto row = signal.rows(0, signal.documents()).dense(i);
    values.insert(values.end(), row.begin(), row.end());
    for (int noise = 0; noise < 6; ++noise) values.push_back(static_cast<float>(random.uniform()));
  }
  const Dataset data = make_dataset(std::vector<std::size_t>(120, 20), 10, values,
                                    {signal.labels().begin(), signal.labels().end()});
  const auto result = boost(problem(data, nullptr, "lambda-ndcg"), small());
  Bench bench(2);
  const auto permuted = permutation_importance(
      result.model, data, parse_measure("nDCG@10", convention()), convention(), 3, bench.context);
  for (const auto& figures : {importance(result.model), permuted}) {
    const double weakest = *std::min_element(figures.begin(), figures.begin() + 3);
    EXPECT_GT(weakest, *std::max_element(figures.begin() + 4, figures.end()));
  }
}

TEST(Boosting, MonotoneConstraintsHoldEverywhere) {
  const Dataset data = noisy_linear(60, 20, 3, 1);
  BoostingOptions options = small();
  options.trees = 60;
  options.learning_rate = 0.3;
  options.monotone = "1:+1, 2:-1";
  const Model model = boost(problem(data, nullptr, "lambda-ndcg"), options).model;
  const Model free = [&] {
    options.monotone.clear();
    return boost(problem(data, nullptr, "lambda-ndcg"), options).model;
  }();
  Bench bench;
  const auto violations = [&](const Model& some) {
    constexpr std::size_t kSteps = 40;
    std::size_t wrong = 0;
    for (const std::size_t moved : {0U, 1U})
      for (std::size_t other = 0; other < kSteps * kSteps; ++other) {
        std::vector<float> values;
        for (std::size_t step = 0; step < kSteps; ++step) {
          float x[3];
          x[moved] = static_cast<float>(step) / kSteps;
          x[1 - moved] = static_cast<float>(other / kSteps) / kSteps;
          x[2] = static_cast<float>(other % kSteps) / kSteps;
          values.insert(values.end(), x, x + 3);
        }
        const auto scores = score(
            some, make_dataset({kSteps}, 3, values, std::vector<float>(kSteps)), bench.context);
        for (std::size_t step = 1; step < kSteps; ++step)
          wrong += moved == 0 ? scores[step] < scores[step - 1] : scores[step] > scores[step - 1];
      }
    return wrong;
  };
  EXPECT_EQ(violations(model), 0U);
  EXPECT_GT(violations(free), 0U);
}

TEST(Boosting, ReportsDataWithNothingToLearn) {
  const std::vector<float> x = {1, 2, 3, 4};
  const Dataset single = make_dataset({1, 1, 1, 1}, 1, x, {0, 1, 2, 1});
  const Dataset equal = make_dataset({4}, 1, x, {1, 1, 1, 1});
  for (const Dataset* data : {&single, &equal})
    for (const char* loss : {"lambda-ndcg", "logistic-pairs", "gbrank"})
      EXPECT_THROW(boost(problem(*data, nullptr, loss), small()), Error) << loss;
}

TEST(Boosting, DegenerateDataGivesAFiniteConstant) {
  const Dataset constant =
      make_dataset({4, 3}, 2, std::vector<float>(14, 7), {0, 1, 2, 1, 0, 0, 1});
  const Dataset few = make_dataset({2}, 1, {1, 2}, {0, 1});
  const Dataset equal = make_dataset({4}, 1, {1, 2, 3, 4}, {1, 1, 1, 1});
  Bench bench;
  for (const char* loss : {"squared", "lambda-ndcg", "interval", "ordinal", "multinomial"})
    for (const Dataset* data : {&constant, &few, &equal}) {
      if (data == &equal && std::string(loss) != "squared") continue;
      const auto result = boost(problem(*data, nullptr, loss), small());
      EXPECT_TRUE(std::get<Forest>(result.model).trees.empty()) << loss;
      for (const double s : score(result.model, *data, bench.context))
        EXPECT_TRUE(std::isfinite(s));
    }
}

TEST(Boosting, RefusesAStartThatDoesNotFit) {
  const Dataset data = noisy_linear(10, 10, 3, 1), other = noisy_linear(10, 10, 4, 1);
  const auto trained = boost(problem(other, nullptr, "squared"), small());
  Boosted more = problem(data, nullptr, "squared");
  more.problem.start.model = &trained.model;
  EXPECT_THROW(boost(more, small()), Error);
  const Model linear = Linear{{1, 2, 3}, 0};
  more.problem.start.model = &linear;
  EXPECT_THROW(boost(more, small()), Error);
}

TEST(Boosting, RefusesOptionsThatSeveralOutputsDoNotSupport) {
  const Dataset data = noisy_linear(10, 10, 3, 1);
  const std::vector<double> offset(data.documents(), 1.0);
  for (const char* loss : {"ordinal", "multinomial"}) {
    Boosted with_offset = problem(data, nullptr, loss);
    with_offset.problem.start.train_offset = offset;
    EXPECT_THROW(boost(with_offset, small()), Error) << loss;
    Boosted with_feature = problem(data, nullptr, loss);
    with_feature.problem.start.offset_feature = 1;
    EXPECT_THROW(boost(with_feature, small()), Error) << loss;
  }
  BoostingOptions options = small();
  options.monotone = "1:+1";
  EXPECT_THROW(boost(problem(data, nullptr, "multinomial"), options), Error);
  EXPECT_NO_THROW(boost(problem(data, nullptr, "ordinal"), options));
}

// Constants are found by damped steps: with large offsets, plain steps oscillate.
TEST(Boosting, FindsTheBestConstantFromFarAway) {
  const Dataset data = noisy_linear(30, 10, 2, 1);
  for (const double far : {-30.0, 30.0}) {
    Random random(4);
    std::vector<double> offset(data.documents());
    for (double& o : offset) o = far + 4 * random.uniform();
    Boosted start = problem(data, nullptr, "hinge+squared");
    start.problem.start.train_offset = offset;
    BoostingOptions options = small();
    options.trees = 1;
    const auto result = boost(start, options);
    EXPECT_NEAR(std::get<Forest>(result.model).base[0], -far, 4) << far;
  }
}

TEST(Boosting, AWarmStartNeverEndsWorseOnTheValidationData) {
  const Dataset train = noisy_linear(40, 20, 5, 1), valid = noisy_linear(40, 20, 5, 2);
  const auto begun = boost(problem(train, &valid, "lambda-ndcg"), small());
  BoostingOptions wild = small();
  wild.learning_rate = 50;
  wild.trees = 5;
  Boosted more = problem(train, &valid, "lambda-ndcg");
  more.problem.start.model = &begun.model;
  const auto ended = boost(more, wild);
  Bench bench;
  const auto value = [&](const Model& model) {
    return evaluate(more.problem.measure, convention(), valid, score(model, valid, bench.context),
                    bench.context);
  };
  EXPECT_GE(value(ended.model), value(begun.model));
}

TEST(Boosting, AnOffsetFeatureIsImportant) {
  const Dataset data = noisy_linear(40, 20, 3, 1);
  Forest forest;
  forest.features = 3;
  forest.offset_feature = 0;
  Bench bench;
  const auto figures = permutation_importance(forest, data, parse_measure("nDCG@10", convention()),
                                              convention(), 3, bench.context);
  EXPECT_GT(figures[0], 0.05);
  EXPECT_EQ(figures[1], 0);
}

TEST(Boosting, RefusesAnInvalidMonotoneList) {
  const Dataset data = noisy_linear(10, 10, 3, 1);
  for (const char* list : {"1", "1:2", "9:+1", ":+1", "1:+1,,"}) {
    BoostingOptions options = small();
    options.monotone = list;
    EXPECT_THROW(boost(problem(data, nullptr, "squared"), options), Error) << list;
  }
}

}  // namespace
}  // namespace podium::boosting_test
