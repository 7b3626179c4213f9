#include "experiments/report/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/report/result_tables.h"

namespace podium::tables_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Table sample() {
  Table table;
  table.title = "Data";
  table.header = {"system", "AP", "W/L"};
  table.rows = {{{"lambda_mart"}, {"0.5", Table::Mark::best}, {"3/1 **"}},
                {{"a,b"}, {"0.25", Table::Mark::not_worse}, {"–"}},
                {{"c"}, {"0.1"}, {"0/4"}}};
  table.notes = {"note"};
  return table;
}

TEST(Tables, TextLinesUp) {
  EXPECT_EQ(render(sample(), TableFormat::text),
            "Data\n\n"
            "system         AP       W/L\n"
            "lambda_mart   0.5 ●  3/1 **\n"
            "a,b          0.25 ○       –\n"
            "c             0.1       0/4\n"
            "note\n");
}

TEST(Tables, MarkdownMarksAndEscapes) {
  EXPECT_EQ(render(sample(), TableFormat::markdown),
            "Data\n\n"
            "| system | AP | W/L |\n"
            "|---|---:|---:|\n"
            "| lambda\\_mart | **0.5** | 3/1 \\*\\* |\n"
            "| a,b | *0.25* | – |\n"
            "| c | 0.1 | 0/4 |\n"
            "\nnote\n");
}

TEST(Tables, LatexMarksAndEscapes) {
  EXPECT_EQ(render(sample(), TableFormat::latex),
            "% Data\n\\begin{tabular}{lrr}\n\\toprule\nsystem & AP & W/L \\\\\n\\midrule\n"
            "lambda\\_mart & \\textbf{0.5} & 3/1 ** \\\\\n"
            "a,b & \\textit{0.25} & – \\\\\n"
            "c & 0.1 & 0/4 \\\\\n"
            "\\bottomrule\n\\end{tabular}\n% note\n");
}

TEST(Tables, CsvHasTheMarksInAColumn) {
  EXPECT_EQ(render(sample(), TableFormat::csv),
            "system,AP,AP standing,W/L\n"
            "lambda_mart,0.5,best,3/1 **\n"
            "\"a,b\",0.25,not-worse,–\n"
            "c,0.1,,0/4\n");
}

Json results() {
  return Json::parse(R"({
    "data": {"name": "Toy", "queries": 4, "documents": 8, "features": 2},
    "convention": {"name": "podium", "text": "podium: …"},
    "measures": ["AP"],
    "design": {"kind": "folds", "folds": ["Fold1"], "train_queries": null, "valid_queries": null, "tune": null},
    "queries": ["1"], "line": null,
    "systems": [
      {"name": "feature", "failed": null, "failed_folds": [], "failed_seeds": [], "test": {"AP": 0.5}, "variation": {"AP": {"over_folds": 0.01, "over_seeds": null}},
       "winning_numbers": {"AP": 0}, "per_query": {"AP": [0.5]},
       "cells": [{"fold": "Fold1", "status": "done", "message": null, "curve": {}, "path": null, "tuning": null}]},
      {"name": "mart", "failed": null, "failed_folds": [], "failed_seeds": [], "test": {"AP": 0.75}, "variation": {"AP": {"over_folds": null, "over_seeds": null}},
       "winning_numbers": {"AP": 1}, "per_query": {"AP": [0.75]},
       "cells": [{"fold": "Fold1", "status": "failed", "message": "no luck", "curve": null, "path": null, "tuning": null}]}],
    "statistics": {"baseline": "feature", "test": "t", "permutations": 100, "alpha": 0.05, "correction": "holm",
      "measures": {"AP": {"reason": null, "standings": {"feature": "worse", "mart": "best"},
        "pairs": [{"a": "feature", "b": "mart", "queries": 4, "wins": 1, "ties": 0, "losses": 3, "mean": -0.25,
                   "dz": -1.5, "interval": [-0.4, -0.1], "bootstrap": null,
                   "p": {"randomisation": 0.2, "t": 0.03, "wilcoxon": 0.1, "sign": 0.6},
                   "adjusted": {"max-t": 0.2, "holm": 0.04, "bh": 0.04}, "reason": null, "warning": null}]}}}})");
}

TEST(ResultTables, MarkTheBestAndShowFailures) {
  const Table table = measure_table(results());
  EXPECT_EQ(table.rows[1][1].text, "0.7500");
  EXPECT_EQ(table.rows[1][1].mark, Table::Mark::best);
  EXPECT_EQ(table.rows[0][1].mark, Table::Mark::none);
  EXPECT_EQ(table.notes.back(), "mart failed on Fold1: no luck");
}

TEST(ResultTables, ASystemThatFailedOnSomeFoldsIsMarked) {
  Json json = results();
  json["systems"][1]["failed_folds"] = {"Fold1"};
  json["systems"][0]["failed_seeds"] = {{{"fold", "Fold1"}, {"seed", 2}, {"message", "bad start"}}};
  const Table table = measure_table(json);
  EXPECT_EQ(table.rows[1][1].mark, Table::Mark::unknown);
  EXPECT_THAT(table.notes, Contains(HasSubstr("† failed on some folds")));
  EXPECT_THAT(table.notes, Contains("feature failed on Fold1 with seed 2: bad start"));
  EXPECT_THAT(render(table, TableFormat::text), HasSubstr("0.7500 †"));
  EXPECT_THAT(render(table, TableFormat::markdown), HasSubstr("0.7500 †"));
  EXPECT_THAT(render(table, TableFormat::latex), HasSubstr("0.7500$^\\dagger$"));
  EXPECT_THAT(render(table, TableFormat::csv), HasSubstr("0.7500,unknown"));
}

TEST(ResultTables, CanBeJoinedIntoOneTable) {
  const Table table = joined_table(results());
  EXPECT_EQ(render(table, TableFormat::csv),
            "system,AP,AP standing,baseline,AP wins,AP losses,AP mean,AP 95 % low,AP 95 % high,"
            "AP d_z,AP p,AP adjusted p,AP significant,AP winning number,AP sd over folds\n"
            "feature,0.5000,,feature,,,,,,,,,,0,0.0100\n"
            "mart,0.7500,best,feature,3,1,0.25,0.1,0.4,1.5,0.03,0.04,yes,1,\n");
}

TEST(ResultTables, LegendsExplainWhatIsThere) {
  Json json = results();
  EXPECT_EQ(measure_table(json).notes[0], "marked: best (t test, holm over all pairs, α = 0.05)");
  EXPECT_EQ(joined_table(json).notes[0], "standing: best (t test, holm over all pairs, α = 0.05)");
  EXPECT_EQ(baseline_table(json).notes[0],
            "** significant (t test, holm over all pairs, α = 0.05)");
  for (const std::string& note : joined_table(json).notes) {
    EXPECT_EQ(note.find("**"), note.npos);
    EXPECT_EQ(note.find("marked"), note.npos);
  }
  json["statistics"]["measures"]["AP"]["standings"]["feature"] = "not-worse";
  json["statistics"]["measures"]["AP"]["pairs"][0]["adjusted"]["holm"] = 0.2;
  EXPECT_THAT(measure_table(json).notes[0], HasSubstr("not significantly worse than the best"));
  EXPECT_THAT(joined_table(json).notes[0], HasSubstr("standing: best, and not-worse"));
  EXPECT_THAT(baseline_table(json).notes[0], HasSubstr("none significant"));
}

TEST(ResultTables, OneSystemHasNoBaseline) {
  Json json = results();
  json["systems"].erase(1);
  json["statistics"]["measures"]["AP"] = {
      {"reason", "only one system"}, {"pairs", Json::array()}, {"standings", Json::object()}};
  EXPECT_EQ(render(joined_table(json), TableFormat::csv),
            "system,AP,AP sd over folds\nfeature,0.5000,0.0100\n");
  EXPECT_EQ(measure_table(json).notes.back(), "sd of AP over folds: 0.0100");
}

TEST(Tables, NamesCannotBreakCells) {
  Table table = sample();
  table.rows[0][0].text = "a\x1b[2J\nb\tc";
  EXPECT_THAT(render(table, TableFormat::text), HasSubstr("a\\x1b[2J\\x0ab\\x09c"));
  EXPECT_THAT(render(table, TableFormat::markdown), HasSubstr("| a\\x1b[2J\\x0ab\\x09c |"));
  EXPECT_THAT(render(table, TableFormat::csv), HasSubstr("\"a\x1b[2J\nb\tc\","));
}

TEST(ResultTables, WarningsAreShownOnce) {
  Json json = results();
  Json& pairs = json["statistics"]["measures"]["AP"]["pairs"];
  pairs[0]["warning"] = "3 differences";
  pairs.push_back(pairs[0]);
  pairs[1]["b"] = "linear";
  EXPECT_EQ(baseline_table(json).notes.back(), "mart, linear and feature: 3 differences");
}

TEST(ResultTables, ThePairIsSeenFromTheSystemThatIsNotTheBaseline) {
  const Table table = baseline_table(results());
  const auto& row = table.rows[1];
  EXPECT_EQ(row[1].text, "3/1 **");
  EXPECT_EQ(row[2].text, "+0.2500");
  EXPECT_EQ(row[3].text, "+0.1000 … +0.4000");
  EXPECT_EQ(row[4].text, "+1.500");
  EXPECT_EQ(row[5].text, "0.0300");
  EXPECT_EQ(row[6].text, "0.0400");
  EXPECT_EQ(table.rows[0][1].text, "–");
}

TEST(ResultTables, MissingTestsAreExplainedInANote) {
  Json json = results();
  json["statistics"]["measures"]["AP"] = {
      {"reason", "too few queries: 1"}, {"pairs", Json::array()}, {"standings", Json::object()}};
  EXPECT_EQ(measure_table(json).notes[0], "no tests: too few queries: 1");
  EXPECT_EQ(baseline_table(json).rows[1][5].text, "–");
}

TEST(ResultTables, TheSummaryLeavesOutLongParts) {
  const Json summary = results_summary(results());
  EXPECT_FALSE(summary.contains("queries"));
  EXPECT_FALSE(summary["systems"][0].contains("per_query"));
  EXPECT_FALSE(summary["systems"][0]["cells"][0].contains("curve"));
  EXPECT_EQ(summary["systems"][0]["test"]["AP"], 0.5);
}

}  // namespace
}  // namespace podium::tables_test
