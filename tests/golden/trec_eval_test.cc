// trec_eval's expected outputs, for every measure that Podium has, to four decimals.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "podium/trec.h"
#include "support/real_data.h"
#include "support/toy_data.h"

namespace podium::trec_eval_test {
namespace {

using Key = std::pair<std::string, std::string>;  // measure, topic

std::map<Key, std::string> parse_output(std::istream& in) {
  std::map<Key, std::string> values;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, topic, value;
    words >> name >> topic >> value;
    values[{name, topic}] = value;
  }
  return values;
}

struct Golden {
  std::string expected, qrels, run;
  Topics topics = Topics::in_both;
  TrecLines lines = TrecLines::topics_and_summary;
  double relevant_from = 1;
  std::size_t depth = 0;
  std::size_t compared;  // how many values of the file Podium has
};

void PrintTo(const Golden& golden, std::ostream* out) {
  *out << golden.expected;
}

class TrecEval : public ::testing::TestWithParam<Golden> {};

TEST_P(TrecEval, IsReproduced) {
  PODIUM_REQUIRE_DATA();
  const std::string folder = testing::data_folder() + "/fixtures/trec-eval/";
  const Golden& golden = GetParam();
  std::ifstream file(folder + golden.expected);
  ASSERT_TRUE(file) << golden.expected;
  const auto expected = parse_output(file);

  Convention convention = find_convention("trec");
  convention.relevant_from = golden.relevant_from;
  const Evaluator evaluator(parse_trec_measures("all_trec", convention), convention,
                            {.depth = golden.depth});
  testing::Bench bench(2);
  const TrecFile qrels = read_qrels(folder + golden.qrels, bench.context);
  const TrecFile run = read_run(folder + golden.run, bench.context);
  const Evaluation evaluation = evaluate_run(evaluator, qrels, run, golden.topics, bench.context);
  std::istringstream printed(format_trec(evaluator, evaluation, run.run_id(), golden.lines));

  std::size_t compared = 0;
  for (const auto& [key, value] : parse_output(printed)) {
    // trec_eval's rbp weights by grade and normalises by uninitialised bounds: comparable only for
    // 0/1 grades.
    if (key.first == "rbp" && golden.relevant_from > 1) continue;
    const auto wanted = expected.find(key);
    ASSERT_NE(wanted, expected.end()) << key.first << " " << key.second;
    EXPECT_EQ(value, wanted->second) << key.first << " " << key.second;
    ++compared;
  }
  EXPECT_EQ(compared, golden.compared);
}

INSTANTIATE_TEST_SUITE_P(Golden, TrecEval,
                         ::testing::Values(Golden{.expected = "out.test.a",
                                                  .qrels = "qrels.test",
                                                  .run = "results.test",
                                                  .lines = TrecLines::summary,
                                                  .compared = 94},
                                           Golden{.expected = "out.test.aq",
                                                  .qrels = "qrels.test",
                                                  .run = "results.test",
                                                  .compared = 364},
                                           Golden{.expected = "out.test.aqc",
                                                  .qrels = "qrels.test",
                                                  .run = "results.trunc",
                                                  .topics = Topics::judged,
                                                  .compared = 364},
                                           Golden{.expected = "out.test.aqcM",
                                                  .qrels = "qrels.test",
                                                  .run = "results.trunc",
                                                  .topics = Topics::judged,
                                                  .depth = 100,
                                                  .compared = 364},
                                           Golden{.expected = "out.test.aql",
                                                  .qrels = "qrels.rel_level",
                                                  .run = "results.test",
                                                  .relevant_from = 2,
                                                  .compared = 360}));

TEST(TrecFiles, CommentsAndHashesInNames) {
  PODIUM_REQUIRE_DATA();
  const std::string folder = testing::data_folder() + "/fixtures/trec-eval/";
  testing::Bench bench(2);
  const TrecFile plain = read_qrels(folder + "qrels.test", bench.context);
  const TrecFile commented = read_qrels(folder + "qrels.test.with-comments", bench.context);
  ASSERT_EQ(plain.topics(), commented.topics());
  for (std::size_t t = 0; t < plain.topics(); ++t)
    EXPECT_EQ(plain.lines(t).size(), commented.lines(t).size());
  const TrecFile hashes = read_run(folder + "results.comment.test", bench.context);
  EXPECT_TRUE(std::ranges::any_of(hashes.lines(0), [](const TrecFile::Line& line) {
    return line.document.find('#') != std::string_view::npos;
  }));
}

// The layout itself, line by line, for measures that Podium has.
TEST(TrecFiles, OfficialOutputIsReproducedByteForByte) {
  PODIUM_REQUIRE_DATA();
  const std::string folder = testing::data_folder() + "/fixtures/trec-eval/";
  const Convention& convention = find_convention("trec");
  const Evaluator evaluator(parse_trec_measures("official", convention), convention);
  testing::Bench bench(1);
  const TrecFile run = read_run(folder + "results.test", bench.context);
  const Evaluation evaluation =
      evaluate_run(evaluator, read_qrels(folder + "qrels.test", bench.context), run,
                   Topics::in_both, bench.context);
  std::ifstream file(folder + "out.test");
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(format_trec(evaluator, evaluation, run.run_id(), TrecLines::summary), expected.str());
}

}  // namespace
}  // namespace podium::trec_eval_test
