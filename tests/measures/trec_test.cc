#include "podium/trec.h"

#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "measures/trec_names.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::trec_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The error of reading a file with that content.
template <class Read>
Error complaint(Read read, std::string_view content) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  try {
    read(folder.write("file", content), bench.context);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << content;
  return Error(ErrorCode::usage, "");
}

TEST(TrecReader, ReadsAnyBlanksCommentsAndFurtherColumns) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  const TrecFile run = read_run(folder.write("run",
                                             "# made by hand\r\n"
                                             "  2 Q0  b#1  1 \t 0.5 tag more columns\r\n"
                                             "\n"
                                             "10\tQ0\tc\t9\t-1e-3\ttag\n"
                                             "2 Q0 a 2 1e300 last"),
                                bench.context);
  ASSERT_EQ(run.topics(), 2U);
  EXPECT_EQ(run.topic(0), "10");
  EXPECT_EQ(run.topic(1), "2");
  ASSERT_EQ(run.lines(1).size(), 2U);
  EXPECT_EQ(run.lines(1)[0].document, "b#1");
  EXPECT_EQ(run.lines(1)[1].document, "a");
  EXPECT_EQ(run.lines(1)[0].value, 0.5);
  EXPECT_EQ(run.lines(0)[0].value, -1e-3);
  EXPECT_EQ(run.run_id(), "last");
}

TEST(TrecReader, ErrorsHaveTheLine) {
  const Error short_line = complaint(read_qrels, "1 0 a 1\n1 0 b\n");
  EXPECT_EQ(short_line.where().line, 2U);
  EXPECT_THAT(short_line.message(), HasSubstr("3 of 4 columns"));
  const Error no_number = complaint(read_qrels, "# c\n1 0 a yes\n");
  EXPECT_EQ(no_number.where().line, 2U);
  EXPECT_THAT(no_number.message(), HasSubstr("grade 'yes'"));
  EXPECT_THAT(complaint(read_run, "1 Q0 a 1 nan x\n").message(), HasSubstr("score 'nan'"));
  EXPECT_THAT(complaint(read_run, "1 Q0 a 1 0.5\n").message(), HasSubstr("5 of 6 columns"));
  EXPECT_THAT(complaint(read_qrels, "1 0 a 1e39\n").message(), HasSubstr("1e39"));
  const Error twice = complaint(read_run, "1 Q0 a 1 5 x\n1 Q0 b 1 5 x\n1 Q0 a 1 4 x\n");
  EXPECT_EQ(twice.where().line, 3U);
  EXPECT_THAT(twice.message(), HasSubstr("'a' of topic '1' already appeared in line 1"));
  EXPECT_THAT(complaint(read_run, "# nothing\n").message(), HasSubstr("no run"));
}

TEST(EvaluateRun, TopicsUnjudgedAndMissingDocuments) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  const TrecFile qrels = read_qrels(
      folder.write("qrels", "1 0 a 1\n1 0 b 0\n1 0 m 1\n2 0 a 1\n3 0 z 0\n"), bench.context);
  const TrecFile run =
      read_run(folder.write("run", "1 Q0 x 1 3 r\n1 Q0 a 2 2 r\n3 Q0 z 1 1 r\n9 Q0 a 1 1 r\n"),
               bench.context);
  const Convention& convention = find_convention("trec");
  const Evaluator evaluator(parse_measures("AP,NumRel,NumRet,Judged@2", convention), convention);
  const Evaluation both = evaluate_run(evaluator, qrels, run, Topics::in_both, bench.context);
  EXPECT_THAT(both.qids, ElementsAre("1", "3"));
  EXPECT_THAT(both.values, ElementsAre(0.125, 2, 3, 0.75));
  EXPECT_EQ(both.empty, 1U);
  const Evaluation judged = evaluate_run(evaluator, qrels, run, Topics::judged, bench.context);
  EXPECT_THAT(judged.qids, ElementsAre("1", "2", "3"));
  EXPECT_THAT(judged.per_query[0], ElementsAre(0.25, 0, 0));
}

TEST(EvaluateRun, NothingInCommonIsAnError) {
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  const TrecFile qrels = read_qrels(folder.write("qrels", "1 0 a 1\n"), bench.context);
  const TrecFile run = read_run(folder.write("run", "2 Q0 a 1 1 r\n"), bench.context);
  const Evaluator evaluator(parse_measures("AP", Convention{}), Convention{});
  EXPECT_THROW(evaluate_run(evaluator, qrels, run, Topics::in_both, bench.context), Error);
}

// Two ids with the same 32-bit hash in the reader.
std::pair<std::string, std::string> ids_of_one_hash() {
  std::unordered_map<std::uint32_t, std::string> seen;
  for (int i = 0;; ++i) {
    const std::string id = fmt::format("d{}", i);
    const auto [before, is_new] = seen.try_emplace(static_cast<std::uint32_t>(hash_text(id)), id);
    if (!is_new) return {before->second, id};
  }
}

TEST(EvaluateRun, IdsWithTheSameHashAreDifferentDocuments) {
  const auto [judged, other] = ids_of_one_hash();
  const testing::TemporaryFolder folder;
  testing::Bench bench;
  const TrecFile both = read_qrels(
      folder.write("both", fmt::format("1 0 {} 1\n1 0 {} 0\n", judged, other)), bench.context);
  const TrecFile one =
      read_qrels(folder.write("one", fmt::format("1 0 {} 1\n", judged)), bench.context);
  const TrecFile run =
      read_run(folder.write("run", fmt::format("1 Q0 {} 1 2 r\n", other)), bench.context);
  const Convention& convention = find_convention("trec");
  const Evaluator evaluator(parse_measures("AP,Judged@1", convention), convention);
  for (const TrecFile* qrels : {&both, &one}) {
    const Evaluation found = evaluate_run(evaluator, *qrels, run, Topics::in_both, bench.context);
    EXPECT_EQ(found.values[0], 0);
    EXPECT_EQ(found.values[1], qrels == &both ? 1 : 0);
  }
}

// Against lists built with a sorted map: shuffled documents, with ties and unjudged ones.
TEST(EvaluateRun, JoinsByDocumentIds) {
  const testing::TemporaryFolder folder;
  Random random(7);
  std::string qrels_text, run_text;
  std::vector<std::uint64_t> begin = {0}, missing_begin = {0};
  std::vector<float> labels, missing;
  std::vector<double> scores;
  std::vector<std::string> ids;
  for (int topic = 100; topic < 140; ++topic) {
    for (int d = 0; d < 60; ++d) {
      const std::string id = fmt::format("document-{}", d * 7919 % 60);
      const auto grade = static_cast<float>(random.below(4));
      const bool is_judged = random.below(3), is_retrieved = random.below(3);
      const auto score = static_cast<double>(random.below(20));
      if (is_judged) qrels_text += fmt::format("{} 0 {} {}\n", topic, id, grade);
      if (is_judged && !is_retrieved) missing.push_back(grade);
      if (!is_retrieved) continue;
      run_text += fmt::format("{} Q0 {} 0 {} r\n", topic, id, score);
      labels.push_back(is_judged ? grade : std::nanf(""));
      scores.push_back(score);
      ids.push_back(id);
    }
    begin.push_back(labels.size());
    missing_begin.push_back(missing.size());
  }
  const Convention& convention = find_convention("trec");
  const Evaluator evaluator(parse_trec_measures("all_trec", convention), convention);
  for (const int threads : {1, 3}) {
    testing::Bench bench(threads);
    const Evaluation joined = evaluate_run(
        evaluator, read_qrels(folder.write("qrels", qrels_text), bench.context),
        read_run(folder.write("run", run_text), bench.context), Topics::in_both, bench.context);
    const Evaluation plain =
        evaluator.evaluate({.query_begin = begin,
                            .labels = labels,
                            .scores = scores,
                            .docid = [&](std::size_t d) { return std::string_view(ids[d]); },
                            .missing_begin = missing_begin,
                            .missing = missing},
                           bench.context);
    EXPECT_EQ(joined.per_query, plain.per_query);
    EXPECT_EQ(joined.values, plain.values);
    EXPECT_EQ(joined.empty, plain.empty);
  }
}

TEST(TrecNames, AreConvertedBothWays) {
  const Convention& trec = find_convention("trec");
  for (const std::string& name : expand_trec_name("all_trec"))
    EXPECT_EQ(parse_measure(from_trec_name(name), trec)->trec_name(trec),
              name == "Rprec_mult_1.00" ? "Rprec" : name);
  EXPECT_EQ(from_trec_name("P_"), "");
  EXPECT_EQ(from_trec_name("P_x"), "");
}

// A name implies all of the convention's choices, as with trec_eval's option -l.
TEST(TrecNames, ExistForMeasuresWithTheConventionsChoices) {
  const auto name = [](const char* measure, const Convention& convention) {
    return parse_measure(measure, convention)->trec_name(convention);
  };
  Convention trec = find_convention("trec");
  EXPECT_EQ(name("nDCG@7", trec), "ndcg_cut_7");
  EXPECT_EQ(name("RBP(p=0.9)", trec), "rbp");
  EXPECT_EQ(name("IPrec@0.125", trec), "iprec_at_recall_0.12");
  for (const char* measure : {"nDCG(gain=exp2)@7",
                              "nDCG(discount=letor)",
                              "nDCG(short=zero)@7",
                              "AP(rel=2)",
                              "AP(denominator=cutoff)@5",
                              "GMAP@5",
                              "RR@5",
                              "P",
                              "R",
                              "Success",
                              "Unjudged",
                              "Judged@5",
                              "RBP",
                              "RBP(p=0.9)@5",
                              "SetF(beta=2)",
                              "Utility(missed=-1)",
                              "NumRet(rel=1)",
                              "NumRel(rel=2)",
                              "DCG",
                              "ERR",
                              "tau"})
    EXPECT_EQ(name(measure, trec), "") << measure;
  trec.relevant_from = 2;
  EXPECT_EQ(name("AP", trec), "map");
  EXPECT_EQ(name("AP(rel=1)", trec), "");
  EXPECT_EQ(name("nDCG@7", find_convention("letor")), "ndcg_cut_7");
}

TEST(TrecNames, FamiliesExpand) {
  EXPECT_THAT(expand_trec_name("P.5,10"), ElementsAre("P_5", "P_10"));
  EXPECT_THAT(expand_trec_name("success"), ElementsAre("success_1", "success_5", "success_10"));
  EXPECT_THAT(expand_trec_name("iprec_at_recall.0.1"), ElementsAre("iprec_at_recall_0.10"));
  EXPECT_EQ(parse_trec_measures("official", find_convention("trec")).size(), 29U);
  EXPECT_THROW(parse_trec_measures("binG", find_convention("trec")), Error);
}

TEST(TrecNames, ListsMixBothSpellings) {
  std::vector<std::string> names;
  for (const MeasurePtr& measure :
       parse_trec_measures("nDCG@10, P.5,10,map,AP(rel=2),ndcg_cut_3", find_convention("trec")))
    names.push_back(measure_label(*measure, find_convention("trec")));
  EXPECT_THAT(names, ElementsAre("nDCG@10", "P@5", "P@10", "AP", "AP(rel=2)", "nDCG@3"));
  EXPECT_THROW(parse_trec_measures(" , ", find_convention("trec")), Error);
}

}  // namespace
}  // namespace podium::trec_test
