#include "learners/weak_rankers/threshold_rankers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learners/weak_rankers/frank.h"
#include "learners/weak_rankers/rankboost.h"
#include "podium/error.h"
#include "podium/training.h"
#include "support/toy_data.h"

namespace podium::threshold_rankers_test {
namespace {

using testing::Bench;
using testing::make_dataset;
using testing::noisy_linear;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr double kUnit = 0x1.0p50;

// Few distinct values, some missing, queries of several lengths and grades.
Dataset lumpy(std::uint64_t seed, const std::vector<std::size_t>& lengths = {7, 1, 12, 5}) {
  Random random(seed);
  std::vector<float> values, labels;
  const std::size_t documents = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  for (std::size_t i = 0; i < documents; ++i) {
    labels.push_back(static_cast<float>(random.below(4)));
    for (int f = 0; f < 3; ++f)
      values.push_back(random.below(6) == 0 ? kMissing : static_cast<float>(random.below(5)));
  }
  return make_dataset(lengths, 3, values, labels);
}

std::vector<double> random_scores(std::size_t n, double spread, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> scores(n);
  for (double& s : scores) s = spread * (random.uniform() - 0.5);
  return scores;
}

// visit(better, worse, weight before the loss) for all pairs, in plain loops.
template <class Visit>
void for_all_pairs(const Dataset& data, const Visit& visit) {
  double queries = 0;
  const auto pairs_of = [&](std::size_t q) {
    double pairs = 0;
    for (std::size_t i = data.begin(q); i < data.end(q); ++i)
      for (std::size_t j = data.begin(q); j < data.end(q); ++j)
        pairs += data.labels()[i] > data.labels()[j];
    return pairs;
  };
  for (std::size_t q = 0; q < data.queries(); ++q) queries += pairs_of(q) > 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const double weight = 1 / pairs_of(q) / queries;
    for (std::size_t i = data.begin(q); i < data.end(q); ++i)
      for (std::size_t j = data.begin(q); j < data.end(q); ++j)
        if (data.labels()[i] > data.labels()[j]) visit(i, j, weight);
  }
}

bool says(const Dataset& data, std::size_t i, std::uint32_t feature, float threshold,
          Tree::Node::Missing missing) {
  const float x = data.rows(i, i + 1).dense(0)[feature];
  return std::isnan(x) ? missing == Tree::Node::Missing::right : x > threshold;
}

TEST(ThresholdRankers, TheChosenRankerIsTheBestOfAllOverAllPairs) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Dataset data = lumpy(seed);
    Bench bench;
    const GradedPairs pairs(data, {}, bench.context);
    ExponentialPairs risk(pairs, bench.context);
    const auto scores = random_scores(data.documents(), 4, seed);
    std::vector<double> potentials(data.documents());
    const auto at = risk.evaluate(scores, potentials);
    std::vector<std::int64_t> fixed;
    for (const double p : potentials) fixed.push_back(std::llround(p / at.weight * kUnit));
    const ThresholdRankers rankers(data, 0, bench.context);
    const auto chosen = rankers.choose(fixed, bench.context);
    ASSERT_TRUE(chosen);

    double total = 0;
    for_all_pairs(data, [&](std::size_t i, std::size_t j, double weight) {
      total += weight * std::exp(scores[j] - scores[i]);
    });
    const auto correlation = [&](std::uint32_t f, float t, Tree::Node::Missing missing) {
      double r = 0;
      for_all_pairs(data, [&](std::size_t i, std::size_t j, double weight) {
        r += weight * std::exp(scores[j] - scores[i]) / total *
             (says(data, i, f, t, missing) - says(data, j, f, t, missing));
      });
      return r;
    };
    double best = 0;
    for (std::uint32_t f = 0; f < 3; ++f)
      for (const float t : {-0.5F, 0.5F, 1.5F, 2.5F, 3.5F})
        for (const auto missing : {Tree::Node::Missing::left, Tree::Node::Missing::right})
          best = std::max(best, std::abs(correlation(f, t, missing)));
    const double r = correlation(chosen->feature, chosen->threshold, chosen->missing);
    EXPECT_NEAR(static_cast<double>(chosen->correlation) / kUnit, r, 1e-12);
    EXPECT_NEAR(std::abs(r), best, 1e-12);
  }
}

// Of random documents, some given twice, both ways or with weight 0; the second query has none.
Dataset with_preferences(const Dataset& data, std::uint64_t seed) {
  Random random(seed);
  DatasetParts parts = data.parts();
  std::vector<Preference> pairs;
  std::vector<std::uint64_t> begin = {0};
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto documents = static_cast<std::uint32_t>(data.end(q) - data.begin(q));
    for (int pair = 0; documents > 1 && q != 1 && pair < 9; ++pair) {
      const auto better = static_cast<std::uint32_t>(random.below(documents));
      const auto other = 1 + static_cast<std::uint32_t>(random.below(documents - 1));
      pairs.push_back(
          {better, (better + other) % documents, 0.5F * static_cast<float>(random.below(4))});
    }
    begin.push_back(pairs.size());
  }
  parts.preference_begin = std::move(begin);
  parts.preferences = std::move(pairs);
  return Dataset(std::move(parts));
}

using Preferences = TrainingSpec::Preferences;

// visit(better, worse, weight) for the pairs of grades, of preferences, or of both; the weights of
// all have the sum 1.
template <class Visit>
void for_all_pairs(const Dataset& data, Preferences use, const Visit& visit) {
  struct Weighted {
    std::size_t better, worse;
    double weight;
  };
  std::vector<Weighted> pairs;
  double queries = 0;
  for (std::size_t q = 0; q < data.queries(); ++q) {
    const auto labels = data.labels(q);
    queries +=
        std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) != labels.end();
  }
  if (use != Preferences::instead_of_grades)
    for_all_pairs(data, [&](std::size_t i, std::size_t j, double w) {
      pairs.push_back({i, j, w * queries});
    });
  for (std::size_t q = 0; use != Preferences::none && q < data.queries(); ++q)
    for (const Preference& pair : data.preferences(q))
      pairs.push_back({data.begin(q) + pair.better, data.begin(q) + pair.worse,
                       pair.weight / static_cast<double>(data.preferences(q).size())});
  long double total = 0;
  for (const Weighted& pair : pairs) total += pair.weight;
  for (const Weighted& pair : pairs)
    visit(pair.better, pair.worse, static_cast<double>(pair.weight / total));
}

// Value, potentials and split of a loss over pairs against plain loops.
template <class Risk, class Loss, class Weight>
void expect_equal_to_loops(const std::vector<Dataset>& all, double spread, const Loss& loss,
                           const Weight& weight_of, Preferences use = Preferences::none) {
  std::uint64_t seed = 0;
  for (const Dataset& data : all) {
    ++seed;
    Bench bench(2);
    PairOptions options;
    options.preferences = use;
    const GradedPairs pairs(data, options, bench.context);
    Risk risk(pairs, bench.context);
    const auto scores = random_scores(data.documents(), spread, seed);
    std::vector<double> potentials(data.documents()), expected(data.documents());
    const auto at = risk.evaluate(scores, potentials);
    std::vector<std::uint8_t> h;
    Random random(seed);
    for (std::size_t i = 0; i < data.documents(); ++i)
      h.push_back(static_cast<std::uint8_t>(random.below(2)));
    long double objective = 0, weight = 0, right = 0, wrong = 0;
    for_all_pairs(data, use, [&](std::size_t i, std::size_t j, double w) {
      objective += w * loss(scores[i] - scores[j]);
      const double pair = w * weight_of(scores[i] - scores[j]);
      weight += pair;
      expected[i] += pair;
      expected[j] -= pair;
      if (h[i] > h[j]) right += pair;
      if (h[i] < h[j]) wrong += pair;
    });
    const bool logarithm = std::is_same_v<Risk, ExponentialPairs>;
    EXPECT_NEAR(at.objective, static_cast<double>(logarithm ? std::log(objective) : objective),
                1e-11);
    if (!logarithm) {
      EXPECT_NEAR(static_cast<double>(at.weight / weight), 1, 1e-12);
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(potentials[i] / at.weight, static_cast<double>(expected[i] / weight), 1e-12);
    const auto split = risk.split(scores, h);
    EXPECT_NEAR(split.right / at.weight, static_cast<double>(right / weight), 1e-12);
    EXPECT_NEAR(split.wrong / at.weight, static_cast<double>(wrong / weight), 1e-12);
  }
}

std::vector<Dataset> short_lists() {
  std::vector<Dataset> all;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) all.push_back(lumpy(seed));
  return all;
}

TEST(ExponentialPairs, EqualPlainLoopsOverPairs) {
  for (const double spread : {0.0, 3.0, 400.0})
    expect_equal_to_loops<ExponentialPairs>(
        short_lists(), spread, [](double lead) { return std::exp(-lead); },
        [](double lead) { return std::exp(-lead); });
}

std::vector<Dataset> short_lists_with_preferences() {
  std::vector<Dataset> all;
  for (const Dataset& data : short_lists()) all.push_back(with_preferences(data, all.size()));
  return all;
}

TEST(ExponentialPairs, EqualPlainLoopsOverPreferences) {
  for (const auto use : {Preferences::beside_grades, Preferences::instead_of_grades})
    for (const double spread : {0.0, 3.0, 400.0})
      expect_equal_to_loops<ExponentialPairs>(
          short_lists_with_preferences(), spread, [](double lead) { return std::exp(-lead); },
          [](double lead) { return std::exp(-lead); }, use);
}

void expect_fidelity_of_loops(const std::vector<Dataset>& all, double spread,
                              Preferences use = Preferences::none) {
  expect_equal_to_loops<FidelityPairs>(
      all, spread, [](double lead) { return 1 - std::sqrt(1 / (1 + std::exp(-lead))); },
      [](double lead) { return std::sqrt(1 / (1 + std::exp(-lead))) / (1 + std::exp(lead)); }, use);
}

TEST(FidelityPairs, EqualPlainLoopsOverPairs) {
  for (const double spread : {0.0, 3.0, 400.0, 5000.0})
    expect_fidelity_of_loops(short_lists(), spread);
}

TEST(FidelityPairs, EqualPlainLoopsOverPreferences) {
  for (const auto use : {Preferences::beside_grades, Preferences::instead_of_grades}) {
    for (const double spread : {0.0, 3.0, 400.0})
      expect_fidelity_of_loops(short_lists_with_preferences(), spread, use);
    expect_fidelity_of_loops({with_preferences(lumpy(1, {700, 1, 30}), 3)}, 3, use);
  }
}

// Longer than lists whose pairs are visited one by one.
TEST(FidelityPairs, LongListsEqualPlainLoopsOverPairs) {
  std::vector<Dataset> lists;
  lists.push_back(lumpy(1, {700, 30}));
  lists.push_back(lumpy(2, {20, 1, 900}));
  for (const double spread : {0.0, 3.0, 60.0, 400.0}) expect_fidelity_of_loops(lists, spread);
}

TEST(ExponentialPairs, ScoresOfAnySizeGiveFinitePotentials) {
  const Dataset data = lumpy(3);
  Bench bench;
  const GradedPairs pairs(data, {}, bench.context);
  ExponentialPairs risk(pairs, bench.context);
  std::vector<double> potentials(data.documents());
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> scores;  // with the labels, then against them
    for (const float label : data.labels()) scores.push_back(sign * 1e5 * label);
    const auto at = risk.evaluate(scores, potentials);
    EXPECT_NEAR(at.objective, sign > 0 ? -1e5 : 3e5, 10);
    EXPECT_GT(at.weight, 0);
    for (const double p : potentials) EXPECT_TRUE(std::isfinite(p));
  }
}

TEST(ThresholdRankers, CutsAreBetweenValuesAndAtQuantiles) {
  std::vector<float> values, labels(1000);
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(i * i));
  const Dataset data = make_dataset({1000}, 1, values, labels);
  Bench bench;
  ThresholdRankers every(data, 0, bench.context);
  ASSERT_EQ(every.thresholds(0).size(), 999U);
  EXPECT_EQ(every.thresholds(0)[2], 6.5F);
  ThresholdRankers few(data, 3, bench.context);
  ASSERT_EQ(few.thresholds(0).size(), 3U);
  EXPECT_GT(few.thresholds(0)[1], 499.F * 499.F);
  EXPECT_LT(few.thresholds(0)[1], 500.F * 500.F);
}

TEST(ThresholdRankers, SparseAndDenseDataAgree) {
  Random random(9);
  DatasetParts sparse;
  std::vector<float> dense, labels, stored;
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<std::uint32_t> columns;
  for (std::size_t i = 0; i < 60; ++i) {
    labels.push_back(static_cast<float>(random.below(3)));
    for (std::uint32_t f = 0; f < 20; ++f) {
      const float x = random.below(4) ? 0.0F : static_cast<float>(random.uniform()) - 0.5F;
      dense.push_back(x);
      if (x == 0) continue;
      columns.push_back(f);
      stored.push_back(x);
    }
    row_begin.push_back(columns.size());
  }
  const Dataset plain = make_dataset({30, 30}, 20, dense, labels);
  sparse = plain.parts();
  sparse.dense = {};
  sparse.row_begin = row_begin;
  sparse.columns = columns;
  sparse.values = stored;
  const Dataset thin(std::move(sparse));
  Bench bench;
  const ThresholdRankers a(plain, 8, bench.context), b(thin, 8, bench.context);
  std::vector<std::int64_t> potentials;
  for (int i = 0; i < 60; ++i)
    potentials.push_back(static_cast<std::int64_t>(random.below(99)) - 49);
  const auto from_plain = a.choose(potentials, bench.context);
  const auto from_thin = b.choose(potentials, bench.context);
  ASSERT_TRUE(from_plain && from_thin);
  EXPECT_EQ(from_plain->feature, from_thin->feature);
  EXPECT_EQ(from_plain->threshold, from_thin->threshold);
  EXPECT_EQ(from_plain->correlation, from_thin->correlation);
  EXPECT_EQ(a.indicator(*from_plain, bench.pool), b.indicator(*from_thin, bench.pool));
  EXPECT_EQ(a.indicator(*from_plain, bench.pool), indicator(*from_plain, thin, bench.pool));
  EXPECT_EQ(a.indicator(*from_plain, bench.pool), indicator(*from_plain, plain, bench.pool));
}

// A feature that is always 1 if present distinguishes documents by its presence.
TEST(ThresholdRankers, MissingValuesAreInformative) {
  const Dataset data = make_dataset({4}, 1, {1, kMissing, 1, kMissing}, {1, 0, 1, 0});
  Bench bench;
  const ThresholdRankers rankers(data, 0, bench.context);
  const auto chosen = rankers.choose(std::vector<std::int64_t>{5, -5, 5, -5}, bench.context);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->correlation, 10);
  EXPECT_EQ(rankers.indicator(*chosen, bench.pool), (std::vector<std::uint8_t>{1, 0, 1, 0}));
}

TrainingResult train(const std::string& learner, const Dataset& data,
                     const Assignments& options = {}, const Dataset* valid = nullptr) {
  Bench bench(2);
  const Convention& convention = find_convention("podium");
  const TrainingProblem problem{data, valid, parse_measure("nDCG@10", convention), convention, {}};
  return learners().make(learner, options)->train(problem, bench.context);
}

class ThresholdBoosting : public ::testing::TestWithParam<std::string> {};

TEST_P(ThresholdBoosting, TheLossFallsInEveryRound) {
  for (const char* rate : {"1", "0.1"}) {
    const auto result =
        train(GetParam(), noisy_linear(30, 15, 5, 4), {{"rounds", "200"}, {"learning-rate", rate}});
    ASSERT_GT(result.log.size(), 50U);
    for (std::size_t t = 1; t < result.log.size(); ++t)
      EXPECT_LT(result.log[t].values[0].second, result.log[t - 1].values[0].second);
  }
}

TEST_P(ThresholdBoosting, StumpsOfOneThresholdAreMergedAndScoresAreFinite) {
  const auto result = train(GetParam(), noisy_linear(30, 15, 2, 4),
                            {{"rounds", "300"}, {"thresholds", "4"}, {"learning-rate", "1"}});
  const auto& forest = std::get<Forest>(result.model);
  EXPECT_GT(result.best_iteration, 20);
  EXPECT_LE(forest.trees.size(), 8U);
  for (const Tree& tree : forest.trees) {
    EXPECT_EQ(tree.nodes[0].documents, 450U);
    EXPECT_EQ(tree.leaf_documents[0] + tree.leaf_documents[1], 450U);
    EXPECT_GT(tree.nodes[0].gain, 0);
    EXPECT_TRUE(std::isfinite(tree.values[1]));
  }
}

TEST_P(ThresholdBoosting, SeparableDataConverge) {
  const auto result = train(GetParam(), make_dataset({4}, 1, {1, 2, 3, 4}, {0, 0, 1, 1}),
                            {{"learning-rate", "1"}, {"rounds", "5000"}});
  Bench bench;
  const auto scores = score(result.model, make_dataset({2}, 1, {2, 3}, {0, 1}), bench.context);
  EXPECT_LT(scores[0], scores[1]);
  EXPECT_TRUE(std::isfinite(scores[1]));
}

TEST_P(ThresholdBoosting, ConstantFeaturesGiveAConstantModel) {
  const auto result = train(GetParam(), make_dataset({1, 4}, 1, {7, 7, 7, 7, 7}, {1, 0, 1, 0, 2}));
  EXPECT_EQ(result.termination, Termination::converged);
  EXPECT_TRUE(std::get<Forest>(result.model).trees.empty());
  EXPECT_EQ(result.skipped_queries, 1U);
}

TEST_P(ThresholdBoosting, DataWithoutPairsAreAnError) {
  for (const auto& data :
       {make_dataset({1, 1}, 1, {1, 2}, {0, 1}), make_dataset({3}, 1, {1, 2, 3}, {2, 2, 2})})
    EXPECT_THROW(train(GetParam(), data), Error);
  // Grades 1 and 2 are both good.
  EXPECT_THROW(train(GetParam(), make_dataset({2}, 1, {1, 2}, {1, 2}), {{"labels", "binary"}}),
               Error);
}

TrainingSpec pairs_spec(const std::string& learner, Preferences use) {
  TrainingSpec spec{.learner = learner, .options = {{"rounds", "60"}}};
  spec.preferences = use;
  spec.measures = parse_measures("nDCG@10", spec.convention);
  return spec;
}

// The same bits for any number of threads and ranks, and not those of the grades.
TEST_P(ThresholdBoosting, LearnsFromPreferences) {
  const Dataset data = with_preferences(noisy_linear(30, 15, 3, 4), 5);
  Bench one, three(3);
  const auto file = [&](Preferences use, Bench& bench) {
    return to_json(podium::train(pairs_spec(GetParam(), use), data, nullptr, bench.context));
  };
  const std::string beside = file(Preferences::beside_grades, one);
  EXPECT_EQ(file(Preferences::beside_grades, three), beside);
  run_in_threads(2, [&](Communicator& comm) {
    std::vector<std::size_t> mine;  // the first rank has a third of the queries
    for (std::size_t q = 0; q < data.queries(); ++q)
      if ((3 * q < data.queries()) == (comm.rank() == 0)) mine.push_back(q);
    ThreadPool pool(1);
    Observer silent;
    Context context{1, pool, comm, silent};
    EXPECT_EQ(to_json(podium::train(pairs_spec(GetParam(), Preferences::beside_grades),
                                    select_queries(data, mine), nullptr, context)),
              beside);
  });
  EXPECT_NE(file(Preferences::none, one), beside);
  EXPECT_NE(file(Preferences::instead_of_grades, one), beside);
  EXPECT_THAT(beside, ::testing::HasSubstr("-pairs+preferences("));
  EXPECT_THAT(file(Preferences::instead_of_grades, one),
              ::testing::HasSubstr("\"loss\": \"preferences("));
}

// Preferences for all pairs of grades 0 and 1 are those pairs.
TEST_P(ThresholdBoosting, PreferencesOfAllPairsGiveTheModelOfTheGrades) {
  const Dataset graded = noisy_linear(20, 8, 3, 4, 2);
  DatasetParts parts = graded.parts();
  std::vector<Preference> pairs;
  std::vector<std::uint64_t> begin = {0};
  for (std::size_t q = 0; q < graded.queries(); ++q) {
    const auto labels = graded.labels(q);
    for (std::uint32_t i = 0; i < labels.size(); ++i)
      for (std::uint32_t j = 0; j < labels.size(); ++j)
        if (labels[i] > labels[j]) pairs.push_back({i, j, 1});
    begin.push_back(pairs.size());
  }
  parts.preference_begin = std::move(begin);
  parts.preferences = std::move(pairs);
  parts.labels = std::vector<float>(graded.documents(), 0);
  const Dataset given(std::move(parts));
  Bench bench;
  const auto scores = [&](const Dataset& data, Preferences use) {
    return score(podium::train(pairs_spec(GetParam(), use), data, nullptr, bench.context), graded,
                 bench.context);
  };
  const auto expected = scores(graded, Preferences::none);
  const auto found = scores(given, Preferences::instead_of_grades);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-9) << i;
}

INSTANTIATE_TEST_SUITE_P(Learners, ThresholdBoosting, ::testing::Values("rankboost", "frank"));

}  // namespace
}  // namespace podium::threshold_rankers_test
