// Features from runs against a table made by hand, and against a join with maps.
#include "podium/run_features.h"

#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::run_features_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Topic 1: with depth 2, A keeps c and d (d and b tie at 2: the larger id comes first), B keeps e
// and a, C keeps a alone. Topic 2 is not in C, topic 3 not judged, topic 4 in no run.
constexpr const char* kA =
    "1 Q0 b 1 2 A\n1 Q0 c 2 3 A\n1 Q0 d 3 2 A\n1 Q0 a 4 1 A\n2 Q0 x 1 -1 A\n";
constexpr const char* kB =
    "2 Q0 y 1 5 B\n1 Q0 a 1 0.5 B\n1 Q0 e 9 0.75 B\n1 Q0 b 2 0.25 B\n2 Q0 x 1 4 B\n";
constexpr const char* kC = "1 Q0 a 1 7 C\n3 Q0 a 1 7 C\n";
constexpr const char* kQrels = "1 0 a 2\n1 0 c 0\n1 0 d -1\n2 0 y 1\n2 0 unseen 3\n4 0 a 1\n";

class RunFeaturesTest : public ::testing::Test {
 protected:
  RunFeatures make(const RunFeatureOptions& options, bool judged = true, int threads = 1) {
    testing::Bench bench(threads);
    std::vector<TrecFile> runs;
    for (const auto& [name, text] :
         {std::pair("A.run", kA), std::pair("B.run", kB), std::pair("C.run", kC)})
      runs.push_back(read_run(folder_.write(name, text), bench.context));
    std::optional<TrecFile> qrels;
    if (judged) qrels = read_qrels(folder_.write("qrels", kQrels), bench.context);
    return run_features(runs, qrels, options, bench.context);
  }

  // "topic document label: features", one line per row.
  static std::string table(const Dataset& data) {
    std::string text;
    for (std::size_t q = 0; q < data.queries(); ++q)
      for (std::size_t d = data.begin(q); d < data.end(q); ++d)
        text += fmt::format("{} {} {}: {}\n", data.qid(q), data.docid(d), data.labels()[d],
                            fmt::join(data.rows(d, d + 1).dense(0), " "));
    return text;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(RunFeaturesTest, TheTableMadeByHand) {
  const RunFeatures made = make({.depth = 2});
  EXPECT_THAT(made.data.feature_names(), ElementsAre("A", "B", "C"));
  EXPECT_EQ(table(made.data),
            "1 a 2: 2 0.5 7\n"
            "1 c 0: 3 0.5 7\n"
            "1 d 0: 2 0.5 7\n"
            "1 e 0: 2 0.75 7\n"
            "2 x 0: -1 4 0\n"
            "2 y 1: -1 5 0\n");
  EXPECT_EQ(made.unjudged_topics, 1U);
  EXPECT_EQ(made.judged_topics_apart, 1U);
  EXPECT_EQ(made.unjudged_documents, 3U);  // d (negative), e, x
}

TEST_F(RunFeaturesTest, EveryRuleForMissingScores) {
  EXPECT_EQ(table(make({.depth = 2, .missing_scores = MissingScores::zero}).data),
            "1 a 2: 0 0.5 7\n"
            "1 c 0: 3 0 0\n"
            "1 d 0: 2 0 0\n"
            "1 e 0: 0 0.75 0\n"
            "2 x 0: -1 4 0\n"
            "2 y 1: 0 5 0\n");
  EXPECT_EQ(table(make({.depth = 2, .missing_scores = MissingScores::nan}).data),
            "1 a 2: nan 0.5 7\n"
            "1 c 0: 3 nan nan\n"
            "1 d 0: 2 nan nan\n"
            "1 e 0: nan 0.75 nan\n"
            "2 x 0: -1 4 nan\n"
            "2 y 1: nan 5 nan\n");
}

TEST_F(RunFeaturesTest, IndicatorsAndUnjudgedDocuments) {
  const RunFeatures made =
      make({.depth = 2, .indicators = true, .unjudged = UnjudgedDocuments::drop});
  EXPECT_THAT(made.data.feature_names(), ElementsAre("A", "B", "C", "in_A", "in_B", "in_C"));
  EXPECT_EQ(table(made.data),
            "1 a 2: 2 0.5 7 0 1 1\n"
            "1 c 0: 3 0.5 7 1 0 0\n"
            "2 y 1: -1 5 0 0 1 0\n");
  EXPECT_EQ(made.unjudged_documents, 3U);
}

TEST_F(RunFeaturesTest, WithoutJudgementsAllTopicsStayWithLabelZero) {
  const RunFeatures made = make({.depth = 1}, false);
  EXPECT_EQ(table(made.data),
            "1 a 0: 3 0.75 7\n"
            "1 c 0: 3 0.75 7\n"
            "1 e 0: 3 0.75 7\n"
            "2 x 0: -1 5 0\n"
            "2 y 0: -1 5 0\n"
            "3 a 0: 0 0 7\n");
  EXPECT_EQ(made.unjudged_topics + made.judged_topics_apart + made.unjudged_documents, 0U);
}

TEST_F(RunFeaturesTest, NamesAreUnique) {
  testing::Bench bench;
  std::filesystem::create_directories(folder_.file("other"));
  std::vector<TrecFile> runs;
  for (const char* name : {"input.x", "input.y", "other/input.x", "one.run", "other/one.txt"})
    runs.push_back(read_run(folder_.write(name, kA), bench.context));
  EXPECT_THAT(run_names(runs),
              ElementsAre("input.x", "input.y", "input.x#2", "one.run", "one.txt"));
  runs.clear();
  for (const char* name : {"a.run", "in_a.run"})
    runs.push_back(read_run(folder_.write(name, kA), bench.context));
  const auto made = run_features(runs, {}, {.indicators = true}, bench.context);
  EXPECT_THAT(made.data.feature_names(), ElementsAre("a", "in_a", "in_in_a", "in_in_in_a"));
}

TEST_F(RunFeaturesTest, ErrorsHaveFileAndLine) {
  testing::Bench bench;
  const auto complaint = [&](const char* run, const std::optional<TrecFile>& qrels,
                             const RunFeatureOptions& options) {
    const std::vector<TrecFile> runs = {read_run(folder_.write("bad.run", run), bench.context)};
    try {
      run_features(runs, qrels, options, bench.context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(complaint("1 Q0 a 1 1 t\n# large\n1 Q0 b 1 -1e300 t\n", {}, {}),
              HasSubstr("bad.run:3: the score -1e+300 of document 'b' is too large"));
  const TrecFile qrels = read_qrels(folder_.write("qrels", kQrels), bench.context);
  EXPECT_THAT(complaint("9 Q0 a 1 1 t\n", qrels, {}), HasSubstr("qrels: no topic of the runs"));
  EXPECT_THAT(complaint("1 Q0 z 1 1 t\n", qrels, {.unjudged = UnjudgedDocuments::drop}),
              HasSubstr("qrels: no document of the runs"));
  EXPECT_EQ(complaint("1 Q0 z 1 1 t\n", qrels, {}), "accepted");
}

TEST_F(RunFeaturesTest, TopicsThatLoseAllTheirDocumentsAreCounted) {
  testing::Bench bench;
  const TrecFile qrels = read_qrels(folder_.write("qrels", kQrels), bench.context);
  const std::vector<TrecFile> runs = {
      read_run(folder_.write("a.run", "1 Q0 a 1 1 t\n2 Q0 unknown 1 1 t\n"), bench.context)};
  const RunFeatures made =
      run_features(runs, qrels, {.unjudged = UnjudgedDocuments::drop}, bench.context);
  EXPECT_EQ(table(made.data), "1 a 2: 1\n");
  EXPECT_EQ(made.unjudged_topics, 1U);
}

// Scores from few values, so that there are many ties.
std::string random_run(Random& random, int topics, int documents) {
  std::string text;
  for (int t = 1; t <= topics; ++t)
    for (int d = 0; d < documents; ++d)
      if (random.uniform() < 0.5)
        text += fmt::format("{} Q0 doc{} 0 {} tag\n", t, d, std::floor(random.uniform() * 8) - 3);
  return text;
}

TEST_F(RunFeaturesTest, AgreesWithAJoinOfMapsForAnyNumberOfThreads) {
  Random random(5);
  std::vector<std::string> texts;
  for (int r = 0; r < 4; ++r) texts.push_back(random_run(random, 30, 40));
  constexpr std::size_t kDepth = 9;

  std::map<std::string, std::map<std::string, std::vector<float>>> expected;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    std::map<std::string, std::vector<std::pair<float, std::string>>> lists;
    std::istringstream in(texts[r]);
    for (std::string topic, q0, document, rank, score, tag;
         in >> topic >> q0 >> document >> rank >> score >> tag;)
      lists[topic].emplace_back(std::stof(score), document);
    for (auto& [topic, list] : lists) {
      std::sort(list.rbegin(), list.rend());
      list.resize(std::min(kDepth, list.size()));
      for (const auto& [score, document] : list) {
        auto& row = expected[topic][document];
        row.resize(texts.size(), std::numeric_limits<float>::quiet_NaN());
        row[r] = score;
      }
    }
  }

  for (const int threads : {1, 2, 5}) {
    testing::Bench bench(threads);
    std::vector<TrecFile> runs;
    for (std::size_t r = 0; r < texts.size(); ++r)
      runs.push_back(read_run(folder_.write(fmt::format("{}.run", r), texts[r]), bench.context));
    const Dataset data =
        run_features(runs, {}, {.depth = kDepth, .missing_scores = MissingScores::nan},
                     bench.context)
            .data;
    ASSERT_EQ(data.queries(), expected.size());
    for (std::size_t q = 0; q < data.queries(); ++q) {
      const auto& documents = expected.at(std::string(data.qid(q)));
      ASSERT_EQ(data.end(q) - data.begin(q), documents.size());
      for (std::size_t d = data.begin(q); d < data.end(q); ++d) {
        const auto& row = documents.at(std::string(data.docid(d)));
        for (std::size_t r = 0; r < row.size(); ++r) {
          const float value = data.rows(d, d + 1).dense(0)[r];
          EXPECT_TRUE(value == row[r] || (std::isnan(value) && std::isnan(row[r])));
        }
      }
    }
  }
}

}  // namespace
}  // namespace podium::run_features_test
