#include "podium/evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "support/toy_data.h"

namespace podium::evaluator_test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Dataset make_data(std::vector<std::vector<float>> queries, DatasetParts parts = {}) {
  std::vector<std::uint64_t> begin = {0};
  std::vector<float> labels;
  std::vector<std::string> qids;
  for (const auto& query : queries) {
    labels.insert(labels.end(), query.begin(), query.end());
    begin.push_back(labels.size());
    qids.push_back("q" + std::to_string(qids.size() + 1));
  }
  parts.query_begin = begin;
  parts.labels = labels;
  parts.qids = make_strings(qids);
  return Dataset(std::move(parts));
}

Evaluation run(std::string_view measures, const Convention& convention, const Dataset& data,
               const std::vector<double>& scores, ListLimits limits = {}) {
  testing::Bench session;
  return Evaluator(parse_measures(measures, convention), convention, limits)
      .evaluate(data, scores, session.context);
}

double value(std::string_view measure, std::string_view convention, const Dataset& data,
             const std::vector<double>& scores) {
  return run(measure, find_convention(convention), data, scores).values.front();
}

// Sums over tied documents are rounded, and with fractions as labels the rounding shows.
TEST(Evaluator, TheOrderOfTiedRowsChangesNoBit) {
  Random random(5);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::vector<float> labels;
    std::vector<double> scores;
    for (int i = 0; i < 12; ++i) {
      labels.push_back(static_cast<float>(random.uniform()));
      scores.push_back(static_cast<double>(random.below(3)));
    }
    std::vector<std::size_t> order(labels.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    random.shuffle(std::span(order));
    std::vector<float> moved_labels;
    std::vector<double> moved_scores;
    for (const std::size_t i : order) {
      moved_labels.push_back(labels[i]);
      moved_scores.push_back(scores[i]);
    }
    constexpr std::string_view kMeasures = "nDCG@5,nDCG,DCG@3,ERR@5,RBP";
    EXPECT_EQ(run(kMeasures, Convention{}, make_data({labels}), scores).values,
              run(kMeasures, Convention{}, make_data({moved_labels}), moved_scores).values);
  }
}

TEST(Evaluator, StableTiesFollowTheRowsOfTheInput) {
  DatasetParts parts;
  parts.input_rows = std::vector<std::uint64_t>{2, 0, 1};
  Convention stable;
  stable.ties = Ties::stable;
  const std::vector<double> equal = {1, 1, 1};
  EXPECT_THAT(run("RR", stable, make_data({{1, 0, 0}}), equal).values, ElementsAre(1));
  EXPECT_THAT(run("RR", stable, make_data({{1, 0, 0}}, parts), equal).values,
              ElementsAre(DoubleNear(1.0 / 3, 1e-15)));
}

TEST(Evaluator, RanksByScoreAndAveragesOverQueries) {
  const Dataset data = make_data({{0, 1, 0}, {2, 0}});
  const Evaluation evaluation = run("RR,P@1,nDCG@10", Convention{}, data, {3, 2, 1, 5, -5});
  EXPECT_THAT(evaluation.measures, ElementsAre("RR", "P@1", "nDCG@10"));
  EXPECT_THAT(evaluation.qids, ElementsAre("q1", "q2"));
  EXPECT_THAT(evaluation.per_query[0], ElementsAre(0.5, 1));
  EXPECT_THAT(evaluation.values,
              ElementsAre(0.75, 0.5, DoubleNear((1 / std::log2(3.0) + 1) / 2, 1e-15)));
  EXPECT_EQ(evaluation.queries, 2U);
  EXPECT_EQ(evaluation.empty, 0U);
}

TEST(Evaluator, TiesFollowTheConvention) {
  DatasetParts parts;
  parts.docids = make_strings(std::vector<std::string>{"a", "c", "b"});
  const Dataset data = make_data({{1, 0, 0}}, parts);
  const std::vector<double> scores = {0.0, -0.0, 0.0};
  EXPECT_NEAR(value("RR", "podium", data, scores), (1 + 1 / 2.0 + 1 / 3.0) / 3, 1e-15);
  EXPECT_EQ(value("RR", "letor", data, scores), 1);
  EXPECT_NEAR(value("RR", "trec", data, scores), 1 / 3.0, 1e-15);
}

TEST(Evaluator, UndefinedQueriesFollowTheConvention) {
  const Dataset data = make_data({{0, 0}, {1, 0}});
  const std::vector<double> scores = {2, 1, 1, 2};
  EXPECT_EQ(value("RR", "podium", data, scores), 0.25);
  EXPECT_EQ(value("RR", "lightgbm", data, scores), 0.75);
  Convention skipping;
  skipping.empty = EmptyQuery::skip;
  const Evaluation evaluation = run("RR,P@1", skipping, data, scores);
  EXPECT_EQ(evaluation.values[0], 0.5);
  EXPECT_TRUE(std::isnan(evaluation.per_query[0][0]));
  EXPECT_EQ(evaluation.values[1], 0);
  EXPECT_EQ(evaluation.empty, 1U);
  EXPECT_TRUE(std::isnan(run("RR", skipping, make_data({{0}}), {1}).values[0]));
}

TEST(Evaluator, QueryWeightsWeighTheMeanButNotCounts) {
  DatasetParts parts;
  parts.query_weights = std::vector<float>{3, 1};
  const Dataset data = make_data({{1, 0}, {0, 1}}, parts);
  EXPECT_THAT(run("RR,NumQ", Convention{}, data, {2, 1, 2, 1}).values, ElementsAre(0.875, 2));
}

TEST(Evaluator, GeometricMeanFloorsAtOneHundredThousandth) {
  const Dataset data = make_data({{1, 0}, {0, 0}});
  EXPECT_NEAR(value("GMAP", "podium", data, {2, 1, 2, 1}), std::sqrt(1e-5), 1e-15);
}

TEST(Evaluator, DepthLimitsWhatIsRetrievedNotWhatIsIdeal) {
  const Dataset data = make_data({{0, 1, 1}});
  const Evaluation evaluation = run("R,NumRet,NumRel", Convention{}, data, {3, 2, 1}, {.depth = 2});
  EXPECT_THAT(evaluation.values, ElementsAre(0.5, 2, 2));
}

TEST(Evaluator, PerHostKeepsTheBestScoredOfEachHost) {
  DatasetParts parts;
  parts.hosts = make_strings(std::vector<std::string>{"x", "x", "y", "x", ""});
  const Dataset data = make_data({{0, 2, 1, 3, 1}}, parts);
  const Evaluation evaluation =
      run("NumRet,NumRel,RR", Convention{}, data, {5, 4, 3, 6, 1}, {.per_host = 1});
  EXPECT_THAT(evaluation.values, ElementsAre(3, 3, 1));
  EXPECT_THROW(run("RR", Convention{}, make_data({{1}}), {1}, {.per_host = 1}), Error);
}

// Tries rows in every order, with equal documents on a host or at the end of a list.
TEST(Evaluator, LimitsDoNotDependOnTheOrderOfRows) {
  std::vector<std::size_t> rows = {0, 1, 2, 3, 4, 5};
  const std::vector<float> labels = {0, 2, 1, 3, 0, 1};
  const std::vector<std::string> hosts = {"x", "x", "x", "y", "y", ""};
  const std::vector<double> scores = {1, 1, 1, 2, 1, 1};
  for (const ListLimits limits : {ListLimits{.per_host = 1}, {.per_host = 2}, {.depth = 3}}) {
    std::set<std::vector<double>> values;
    do {
      DatasetParts parts;
      std::vector<std::string> host_of;
      std::vector<float> label_of;
      std::vector<double> score_of;
      for (const std::size_t row : rows) {
        host_of.push_back(hosts[row]);
        label_of.push_back(labels[row]);
        score_of.push_back(scores[row]);
      }
      parts.hosts = make_strings(host_of);
      const Dataset data = make_data({label_of}, parts);
      values.insert(run("nDCG,AP,RR,ERR", Convention{}, data, score_of, limits).values);
    } while (std::next_permutation(rows.begin(), rows.end()));
    EXPECT_EQ(values.size(), 1U);
  }
}

TEST(Evaluator, RejectsNanScoresAndTooFewScores) {
  const Dataset data = make_data({{1, 0}, {1, 0}});
  try {
    run("RR", Convention{}, data, {1, 2, 3, kNan});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("query 'q2'"));
    EXPECT_THAT(error.what(), HasSubstr("document 2"));
  }
  EXPECT_THROW(run("RR", Convention{}, data, {1, 2, 3}), Error);
}

TEST(Evaluator, InfiniteScoresAreRanked) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(value("RR", "podium", make_data({{0, 0, 1}}), {-infinity, 0, infinity}), 1);
}

TEST(Evaluator, UnjudgedDocumentsAreRankedButNotIdeal) {
  const Dataset data = make_data({{std::nanf(""), 1}});
  EXPECT_THAT(run("RR,Judged,NumRel,nDCG", Convention{}, data, {2, 1}).values,
              ElementsAre(0.5, 0.5, 1, DoubleNear(1 / std::log2(3.0), 1e-15)));
}

struct RandomData {
  Dataset data;
  std::vector<double> scores;
};

RandomData random_data(std::size_t queries) {
  Random random(3);
  std::vector<std::vector<float>> labels(queries);
  std::vector<double> scores;
  for (auto& query : labels)
    for (std::uint64_t n = random.below(30); n > 0; --n) {
      query.push_back(static_cast<float>(random.below(3)));
      scores.push_back(static_cast<double>(random.below(50)) / 7);
    }
  return {make_data(labels), scores};
}

constexpr std::string_view kMany = "nDCG@10,AP,RR,ERR@10,P@5,AUC,PairAcc,tau,GMAP,NumRel,MeanNDCG";

TEST(Evaluator, SameBitsForAnyNumberOfThreads) {
  const RandomData random = random_data(1000);
  const Evaluator evaluator(parse_measures(kMany, Convention{}), Convention{});
  testing::Bench one(1), four(4);
  const Evaluation a = evaluator.evaluate(random.data, random.scores, one.context);
  const Evaluation b = evaluator.evaluate(random.data, random.scores, four.context);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.per_query, b.per_query);
  EXPECT_EQ(a.empty, b.empty);
}

TEST(Evaluator, SameBitsForAnyNumberOfRanks) {
  const RandomData random = random_data(300);
  const Evaluator evaluator(parse_measures(kMany, Convention{}), Convention{});
  testing::Bench session;
  const Evaluation whole = evaluator.evaluate(random.data, random.scores, session.context);
  for (const int ranks : {2, 3, 5})
    run_in_threads(ranks, [&](Communicator& comm) {
      std::vector<std::size_t> mine;
      std::vector<double> scores;
      for (std::size_t q = 0; q < random.data.queries(); ++q)
        if (static_cast<int>(q % static_cast<std::size_t>(ranks)) == comm.rank()) {
          mine.push_back(q);
          for (std::size_t d = random.data.begin(q); d < random.data.end(q); ++d)
            scores.push_back(random.scores[d]);
        }
      ThreadPool pool(1);
      Observer observer;
      Context context{1, pool, comm, observer};
      const Evaluation part =
          evaluator.evaluate(select_queries(random.data, mine), scores, context);
      EXPECT_EQ(part.values, whole.values);
      EXPECT_EQ(part.queries, whole.queries);
      EXPECT_EQ(part.empty, whole.empty);
      EXPECT_EQ(part.qids.size(), mine.size());
    });
}

// Values computed by hand from the tools' definitions, for one list with grades 3, 0, 2, 1 in
// ranked order.
TEST(Conventions, NdcgOfOneList) {
  const Dataset data = make_data({{3, 0, 2, 1}});
  const std::vector<double> scores = {4, 3, 2, 1};
  const auto d = [](double rank) { return 1 / std::log2(rank + 1); };
  const double exp2 = (7 + 3 * d(3) + 1 * d(4)) / (7 + 3 * d(2) + 1 * d(3));
  const double linear = (3 + 2 * d(3) + 1 * d(4)) / (3 + 2 * d(2) + 1 * d(3));
  const auto l = [](double rank) { return rank <= 2 ? 1 : 1 / std::log2(rank); };
  const double letor = (7 + 3 * l(3) + 1 * l(4)) / (7 + 3 + 1 * l(3));
  for (const char* name : {"podium", "lightgbm", "xgboost", "ranklib"})
    EXPECT_NEAR(value("nDCG@4", name, data, scores), exp2, 1e-15) << name;
  for (const char* name : {"trec", "sklearn"})
    EXPECT_NEAR(value("nDCG@4", name, data, scores), linear, 1e-15) << name;
  for (const char* name : {"letor", "mslr"})
    EXPECT_NEAR(value("nDCG@4", name, data, scores), letor, 1e-15) << name;
  EXPECT_EQ(value("nDCG@5", "letor", data, scores), 0);
  EXPECT_NEAR(value("nDCG@5", "podium", data, scores), exp2, 1e-15);
}

TEST(Conventions, AveragePrecisionOfOneList) {
  const Dataset data = make_data({{0.6F, 0, 2, 1}});
  const std::vector<double> scores = {4, 3, 2, 1};
  EXPECT_NEAR(value("AP", "podium", data, scores), (1 / 3.0 + 2 / 4.0) / 2, 1e-15);
  EXPECT_NEAR(value("AP", "mslr", data, scores), 1 / 3.0, 1e-15);
  EXPECT_NEAR(value("AP@3", "ranklib", data, scores), (1 + 2 / 3.0) / 3, 1e-15);
  EXPECT_NEAR(value("AP@2", "lightgbm", data, scores), 1 / 2.0, 1e-15);
  EXPECT_NEAR(value("AP@1", "xgboost", data, scores), 0, 1e-15);
}

TEST(Conventions, UnknownNameNamesTheNearest) {
  try {
    find_convention("lihgtgbm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("did you mean lightgbm?"));
  }
}

TEST(Conventions, TextHasEveryChoice) {
  EXPECT_EQ(
      Convention{}.text(),
      "podium: gain exp2, discount log2, ties expected value, undefined query 0, relevant >= 1");
  EXPECT_THAT(find_convention("lightgbm").text(), HasSubstr("relevant > 0.5, AP@k over cutoff"));
  EXPECT_THAT(find_convention("mslr").text(), HasSubstr("discount letor"));
  EXPECT_THAT(find_convention("ranklib").text(), HasSubstr("relevant > 0"));
}

}  // namespace
}  // namespace podium::evaluator_test
