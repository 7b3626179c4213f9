// Comparisons end to end on small synthetic data: the folder, its values, resuming, refusals.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>  // renameat2

#include "experiments/report/result_tables.h"
#include "models/file/json_text.h"
#include "podium/error.h"
#include "podium/experiment.h"
#include "podium/significance.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::compare_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;
using testing::Bench;
using testing::bytes_of_file;
using testing::TemporaryFolder;
namespace fs = std::filesystem;

class Compare : public ::testing::Test {
 protected:
  void SetUp() override {
    Bench bench;
    write_dataset(testing::noisy_linear(30, 8, 5, 7), folder_.file("data.txt"), bench.context);
    options_.data = folder_.file("data.txt");
    options_.learners = "linear,mart(trees=5),feature";
    options_.measures = "nDCG@5,AP";
    options_.folds = 3;
    options_.permutations = 1000;
  }

  ComparisonOutcome run(const std::string& name, int threads = 1) {
    Bench bench(threads);
    return compare(options_, where(name), bench.context);
  }
  ComparisonRun where(const std::string& name) const {
    ComparisonRun run;
    run.folder = folder_.file(name);
    run.version = "1";
    run.command = {"podium", "compare"};
    return run;
  }
  Json results(const std::string& name) const {
    return Json::parse(bytes_of_file(folder_.file(name) + "/results.json"));
  }
  std::string refusal(const std::string& name, ErrorCode code = ErrorCode::usage) {
    try {
      run(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      return error.what();
    }
    return "";
  }
  // Every file except resources.json, by name.
  std::map<std::string, std::string> files(const std::string& name) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.file(name)))
      if (entry.is_regular_file() && entry.path().filename() != "resources.json")
        all[fs::relative(entry.path(), folder_.file(name)).string()] =
            bytes_of_file(entry.path().string());
    return all;
  }

  // Writes the folds, continues with them, and returns their folder.
  std::string write_folds() {
    ComparisonRun split = where("split");
    split.folds_to = folder_.file("folds");
    Bench bench;
    compare(options_, split, bench.context);
    return options_.data = folder_.file("folds");
  }
  // Rewrites every line of a file.
  static void edit(const std::string& path, const std::function<void(std::string&)>& change) {
    std::istringstream in(bytes_of_file(path));
    std::ofstream out(path);
    for (std::string line; std::getline(in, line);) {
      change(line);
      out << line << "\n";
    }
  }

  TemporaryFolder folder_;
  ComparisonOptions options_;
};

TEST_F(Compare, TakesSearchesAndBlendsAsSystems) {
  options_.learners =
      "best=auto(trials=3,folds=3,learners=linear,adarank),blend(linear,mart(trees=5)),linear";
  const ComparisonOutcome outcome = run("combined", 2);
  EXPECT_EQ(outcome.done, 9U);
  const Json found = results("combined");
  const Json& blend = found["systems"][1];
  EXPECT_EQ(blend["learner"], "blend");
  EXPECT_EQ(blend["given"]["member 2"], "mart(trees=5)");
  double sum = 0;
  for (const auto& [name, weight] : blend["cells"][0]["chosen"].items())
    sum += weight.get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_GT(found["systems"][0]["test"]["nDCG@5"].get<double>(), 0.5);
  run("combined-1", 1);
  EXPECT_EQ(files("combined"), files("combined-1"));
  EXPECT_EQ(run("combined").found, 9U);
}

TEST_F(Compare, WritesTheDocumentedFiles) {
  const ComparisonOutcome outcome = run("out");
  EXPECT_EQ(outcome.cells, 9U);
  EXPECT_EQ(outcome.done, 9U);
  EXPECT_EQ(outcome.failed, 0U);
  const Json json = results("out");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["queries"].size(), 30U);
  EXPECT_EQ(json["design"]["kind"], "split");
  EXPECT_EQ(json["systems"].size(), 3U);
  EXPECT_EQ(json["statistics"]["baseline"], "feature");
  EXPECT_EQ(json["statistics"]["measures"]["AP"]["pairs"].size(), 3U);
  EXPECT_EQ(json["line"]["system"], "linear");
  for (const char* file : {"models/linear.Fold1.json", "models/mart-trees=5.Fold3.json",
                           "per-query/Fold2.tsv", "resources.json", "cells/feature.Fold1.json"})
    EXPECT_TRUE(fs::exists(folder_.file("out/") + file)) << file;
}

TEST_F(Compare, ValuesAreMeansOverQueries) {
  run("out");
  const Json json = results("out");
  for (const Json& system : json["systems"]) {
    double sum = 0, share = 0;
    for (const Json& value : system["per_query"]["nDCG@5"]) sum += value.get<double>();
    EXPECT_NEAR(system["test"]["nDCG@5"], sum / 30, 1e-12);
    double folds = 0;
    for (const Json& cell : system["cells"]) folds += cell["test"]["nDCG@5"].get<double>();
    EXPECT_NEAR(system["test"]["nDCG@5"], folds / 3, 1e-12);  // folds of the same size
    for (const Json& feature : system["importance"]) share += feature["share"].get<double>();
    EXPECT_NEAR(share, 1, 1e-12);
  }
}

TEST_F(Compare, StatisticsAreThoseOfTheLibrary) {
  run("out");
  const Json json = results("out");
  std::vector<std::vector<double>> values;
  for (const Json& system : json["systems"]) {
    auto& of_system = values.emplace_back();
    for (const Json& value : system["per_query"]["AP"]) of_system.push_back(value);
  }
  const Json& pair = json["statistics"]["measures"]["AP"]["pairs"][1];
  EXPECT_EQ(pair["a"], "linear");
  EXPECT_EQ(pair["b"], "feature");
  const auto differences = paired_differences(values[0], values[2]);
  EXPECT_EQ(pair["p"]["t"].get<double>(), *paired_t(differences).p);
  EXPECT_EQ(pair["p"]["wilcoxon"].get<double>(), *wilcoxon(differences).p);
  EXPECT_EQ(pair["wins"], effect(differences).wins);
  Bench bench;
  const Family family = max_t_all_pairs(values, 1000, bench.context);
  EXPECT_EQ(pair["adjusted"]["max-t"].get<double>(), *family.members[1].adjusted);
}

TEST_F(Compare, ThreadsChangeNoByte) {
  options_.tune = 3;
  options_.learners = "linear,mart(trees=5),ranknet(epochs=5),feature#2";
  run("one", 1);
  run("four", 4);
  EXPECT_EQ(files("one"), files("four"));
}

TEST_F(Compare, ResumesWhereItStopped) {
  run("whole");
  const auto expected = files("whole");
  run("part");
  for (const char* file : {"cells/linear.Fold2.json", "cells/mart-trees=5.Fold1.json",
                           "models/mart-trees=5.Fold1.json", "per-query/Fold2.tsv"})
    fs::remove(folder_.file("part/") + file);
  std::ofstream(folder_.file("part/cells/feature.Fold3.json")) << "{\"format\": \"podium-c";
  std::ofstream(folder_.file("part/cells/linear.Fold2.json.1-1.tmp")) << "half";
  const ComparisonOutcome outcome = run("part");
  EXPECT_EQ(outcome.found, 6U);
  EXPECT_EQ(files("part"), expected);
}

TEST_F(Compare, AStopKeepsFinishedCells) {
  // Requests a stop when the second cell ends.
  struct Stopper final : Observer {
    std::stop_source stop;
    void iteration(const Iteration& step) override {
      if (step.number == 2) stop.request_stop();
    }
  } stopper;
  Bench bench;
  Context context{1, bench.pool, bench.context.comm, stopper, stopper.stop.get_token()};
  const ComparisonOutcome outcome = compare(options_, where("out"), context);
  EXPECT_EQ(outcome.done, 2U);
  EXPECT_EQ(results("out")["complete"], false);
  EXPECT_EQ(run("out").found, 2U);
  run("whole");
  EXPECT_EQ(files("out"), files("whole"));
}

TEST_F(Compare, AnErrorAfterAStopIsNoFailure) {
  // Requests a stop when a cell reads its fold again, which happens because of the memory limit.
  struct Stopper final : Observer {
    std::stop_source stop;
    void note(std::string_view text) override {
      if (text.starts_with("feature#9")) stop.request_stop();
    }
  } stopper;
  options_.learners = "feature#9";  // throws
  const std::string train = write_folds() + "/Fold1/train.txt";
  const std::string text = bytes_of_file(train);
  const std::size_t end = text.find('\n') + 1;
  std::ofstream(train) << text.substr(end) << text.substr(0, end);  // regrouped, and noted
  ComparisonRun part = where("part");
  part.memory_bytes = 1;
  Bench bench;
  Context context{1, bench.pool, bench.context.comm, stopper, stopper.stop.get_token()};
  const ComparisonOutcome outcome = compare(options_, part, context);
  EXPECT_TRUE(stopper.stop.stop_requested());
  EXPECT_EQ(outcome.done + outcome.failed, 0U);
  EXPECT_EQ(run("part").found, 0U);
  run("whole");
  EXPECT_EQ(files("part"), files("whole"));
}

TEST_F(Compare, DataThatChangesDuringTheRunIsAnError) {
  // Writes to the mapped file when the second cell ends.
  struct Writer final : Observer {
    std::string file;
    void iteration(const Iteration& step) override {
      if (step.number == 2) std::ofstream(file, std::ios::app) << "more";
    }
  } writer;
  Bench bench;
  for (const std::string& data : {folder_.file("data.podium"), write_folds()}) {
    writer.file = folder_.file("data.podium");
    if (fs::is_directory(data)) {
      writer.file = data + "/Fold2/vali.podium";
      const std::string text = data + "/Fold2/vali.txt";
      write_dataset(read_dataset(text, {}, bench.context), writer.file, bench.context);
      fs::remove(text);
    } else {
      write_dataset(testing::noisy_linear(30, 8, 5, 7), data, bench.context);
    }
    options_.data = data;
    const std::string out = fs::is_directory(data) ? "of folds" : "of a file";
    Context context{1, bench.pool, bench.context.comm, writer};
    try {
      compare(options_, where(out), context);
      FAIL() << data;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file);
      EXPECT_THAT(error.what(), HasSubstr("podium: the file changed while it was read"));
    }
    EXPECT_EQ(results(out)["complete"], false);
  }
}

TEST_F(Compare, HighMemoryUseIsNotedInAdvance) {
  // Requests a stop at the note: nothing is trained.
  struct Stopper final : Observer {
    std::stop_source stop;
    std::vector<std::string> notes;
    void note(std::string_view text) override {
      notes.emplace_back(text);
      stop.request_stop();
    }
  } stopper;
  options_.learners = "mlp(hidden=65536)";
  Bench bench;
  write_dataset(testing::noisy_linear(30, 8, 300, 7), folder_.file("data.txt"), bench.context);
  Context context{1, bench.pool, bench.context.comm, stopper, stopper.stop.get_token()};
  EXPECT_EQ(compare(options_, where("out"), context).done, 0U);
  ASSERT_EQ(stopper.notes.size(), 1U);
  EXPECT_THAT(stopper.notes[0], HasSubstr("mlp with 300 inputs and layers of 65536: about 2.0 GB"));
}

TEST_F(Compare, AFullDiskEndsItAtOnce) {
  // A file in place of the folder of cells: nothing more can be saved. Both are exchanged
  // atomically, because the other thread may be writing a cell.
  struct Breaker final : Observer {
    std::string cells;
    std::string file;
    std::once_flag once;
    void iteration(const Iteration&) override {
      std::call_once(once, [this] {
        ASSERT_EQ(renameat2(AT_FDCWD, file.c_str(), AT_FDCWD, cells.c_str(), RENAME_EXCHANGE), 0);
      });
    }
  } breaker;
  breaker.cells = folder_.file("out/cells");
  breaker.file = folder_.file("no-folder");
  std::ofstream(breaker.file) << "no folder";
  Bench bench(2);
  Context context{1, bench.pool, bench.context.comm, breaker};
  EXPECT_THROW(compare(options_, where("out"), context), Error);
  const auto models = fs::directory_iterator(folder_.file("out/models"));
  EXPECT_LE(std::distance(begin(models), end(models)), 4);  // those already begun, of 9
}

TEST_F(Compare, LearnersCanBeAddedLater) {
  options_.learners = "linear";
  run("out");
  options_.learners = "linear,feature";
  EXPECT_EQ(run("out").found, 3U);
  run("fresh");
  EXPECT_EQ(files("out"), files("fresh"));
}

TEST_F(Compare, AnotherBaselineNeedsNoTraining) {
  run("out");
  options_.baseline = "linear";
  EXPECT_EQ(run("out").found, 9U);
  EXPECT_EQ(results("out")["statistics"]["baseline"], "linear");
}

TEST_F(Compare, RefusesTheFolderOfAnotherComparison) {
  run("out");
  const ComparisonOptions same = options_;
  options_.learners = "linear,mart(trees=6),feature";
  EXPECT_THAT(refusal("out"), HasSubstr("it has the system \"mart(trees=5)\""));
  options_ = same;
  options_.measures = "AP";
  EXPECT_THAT(refusal("out"),
              HasSubstr("its measures is [\"nDCG@5\",\"AP\"], but here it is [\"AP\"]"));
  options_ = same;
  options_.tune = 2;
  EXPECT_THAT(refusal("out"), HasSubstr("its design tune is null"));
  options_ = same;
  options_.normalize = "query-minmax";
  EXPECT_THAT(refusal("out"), HasSubstr("its design normalize"));
  options_ = same;
  Bench bench;
  write_dataset(testing::noisy_linear(30, 8, 5, 8), folder_.file("data.txt"), bench.context);
  EXPECT_THAT(refusal("out"), HasSubstr("its data fingerprint"));
}

TEST_F(Compare, OtherQueryIdsAreOtherData) {
  run("out");
  edit(options_.data, [](std::string& line) { line.replace(line.find("qid:q"), 5, "qid:x"); });
  EXPECT_THAT(refusal("out"), HasSubstr("its data fingerprint"));
}

TEST_F(Compare, ADamagedFolderIsRefusedOrRepaired) {
  run("whole");
  run("out");
  std::ofstream(folder_.file("out/models/linear.Fold1.json"));  // empty, as after a power failure
  EXPECT_EQ(run("out").found, 8U);
  EXPECT_EQ(files("out"), files("whole"));
  std::ofstream(folder_.file("out/results.json"));
  EXPECT_THAT(refusal("out"), HasSubstr("results.json: is empty or damaged"));
}

TEST_F(Compare, AQueryIsTestedInOneFoldOnly) {
  const fs::path folds = write_folds();
  fs::remove_all(folds / "Fold2");
  fs::copy(folds / "Fold1", folds / "Fold2", fs::copy_options::recursive);
  EXPECT_THAT(refusal("out", ErrorCode::data), HasSubstr("a query is tested in one fold only"));
}

TEST_F(Compare, RefusesAFolderOfOtherThings) {
  fs::create_directories(folder_.file("out"));
  folder_.write("out/thesis.txt", "precious");
  EXPECT_THAT(refusal("out"), HasSubstr("contains other files"));
  EXPECT_TRUE(fs::exists(folder_.file("out/thesis.txt")));
  EXPECT_THAT(refusal("data.txt"), HasSubstr("a comparison needs a folder"));
}

TEST_F(Compare, AFailureIsShownAndTheRestContinues) {
  options_.learners = "linear,feature#9";
  const ComparisonOutcome outcome = run("out");
  EXPECT_EQ(outcome.done, 3U);
  EXPECT_EQ(outcome.failed, 3U);
  const Json json = results("out");
  EXPECT_EQ(json["complete"], true);
  EXPECT_THAT(json["systems"][1]["failed"].get<std::string>(),
              HasSubstr("the data has 5 features"));
  EXPECT_EQ(json["systems"][1]["cells"][2]["status"], "failed");
  EXPECT_TRUE(json["systems"][1]["test"]["AP"].is_null());
  EXPECT_EQ(json["systems"][0]["failed"], nullptr);
  EXPECT_EQ(json["statistics"]["measures"]["AP"]["standings"]["linear"], "best");
}

TEST_F(Compare, AFailureOnOneFoldKeepsASystemOutOfTheRanking) {
  const std::string folds = write_folds();
  for (const char* part : {"train", "vali", "test"})
    edit(fmt::format("{}/Fold2/{}.txt", folds, part), [](std::string& line) {
      const std::size_t at = line.find(" 5:");
      if (at != line.npos) line.erase(at, line.find(' ', at + 1) - at);
    });
  options_.learners = "linear,feature#5,feature";
  const ComparisonOutcome outcome = run("out");
  EXPECT_EQ(outcome.failed, 1U);
  const Json json = results("out");
  EXPECT_EQ(json["systems"][1]["failed"], nullptr);
  EXPECT_EQ(json["systems"][1]["failed_folds"], Json{"Fold2"});
  EXPECT_TRUE(json["systems"][1]["test"]["AP"].is_number());
  const Json& statistics = json["statistics"]["measures"]["AP"];
  EXPECT_EQ(statistics["standings"]["feature#5"], "unknown");
  EXPECT_EQ(statistics["standings"]["linear"], "best");
  ASSERT_EQ(statistics["pairs"].size(), 1U);
  EXPECT_EQ(statistics["pairs"][0]["b"], "feature");
  EXPECT_THAT(render(measure_table(json), TableFormat::text), HasSubstr("† failed on some folds"));
}

TEST_F(Compare, MaxTBelongsToTheRandomisationTest) {
  run("out");
  EXPECT_EQ(results("out")["statistics"]["correction"], "max-t");
  options_.test = PairedTest::t;
  run("out");
  EXPECT_EQ(results("out")["statistics"]["correction"], "holm");
  options_.correction = Correction::max_t;
  EXPECT_THAT(refusal("out"), HasSubstr("‹correction max-t› is a randomisation test"));
}

TEST_F(Compare, WeightsOfQueriesCount) {
  DatasetParts parts = testing::noisy_linear(30, 8, 5, 7).parts();
  std::vector<float> weights(30);
  for (std::size_t q = 0; q < 30; ++q) weights[q] = static_cast<float>(q % 4 + 1);
  parts.query_weights = weights;
  Bench bench;
  write_dataset(Dataset(parts), options_.data = folder_.file("weighted.podium"), bench.context);
  run("out");
  const Json json = results("out");
  double sum = 0, all = 0;
  for (std::size_t k = 0; k < 30; ++k) {
    const auto q = std::stoul(json["queries"][k].get<std::string>().substr(1)) - 1;
    sum += weights[q] * json["systems"][0]["per_query"]["AP"][k].get<double>();
    all += weights[q];
  }
  EXPECT_NEAR(json["systems"][0]["test"]["AP"].get<double>(), sum / all, 1e-12);
}

TEST_F(Compare, GeometricMeansAreTestedByLogarithms) {
  options_.measures = "GMAP";
  options_.learners = "linear,feature";
  run("out");
  const Json json = results("out");
  std::vector<std::vector<double>> logs;
  for (const Json& system : json["systems"]) {
    auto& of_system = logs.emplace_back();
    double sum = 0;
    for (const Json& value : system["per_query"]["GMAP"]) {
      of_system.push_back(std::log(std::max(value.get<double>(), 1e-5)));
      sum += of_system.back();
    }
    EXPECT_NEAR(system["test"]["GMAP"].get<double>(), std::exp(sum / 30), 1e-12);
  }
  const auto differences = paired_differences(logs[0], logs[1]);
  const Json& pair = json["statistics"]["measures"]["GMAP"]["pairs"][0];
  EXPECT_NEAR(pair["p"]["t"].get<double>(), *paired_t(differences).p, 1e-12);
  EXPECT_NEAR(pair["mean"].get<double>(), effect(differences).mean, 1e-12);
}

TEST_F(Compare, SeedsShowVariationAndChangeNoValue) {
  options_.learners = "lambdarank(epochs=3),feature";
  run("one");
  options_.seeds = 3;
  EXPECT_EQ(run("three").cells, 18U);
  const Json one = results("one"), three = results("three");
  EXPECT_EQ(one["systems"][0]["test"], three["systems"][0]["test"]);
  EXPECT_TRUE(one["systems"][0]["variation"]["AP"]["over_seeds"].is_null());
  EXPECT_TRUE(three["systems"][0]["variation"]["AP"]["over_seeds"].is_number());
  EXPECT_NEAR(three["systems"][1]["variation"]["AP"]["over_seeds"].get<double>(), 0, 1e-12);
  EXPECT_TRUE(fs::exists(folder_.file("three/cells/feature.Fold1.seed3.json")));
}

TEST_F(Compare, TrialsAverageEachQuerysTests) {
  options_.trials = 6;
  options_.train_queries = 10;
  options_.valid_queries = 5;
  options_.learners = "linear,feature";
  run("out");
  const Json json = results("out");
  EXPECT_EQ(json["design"]["folds"].size(), 6U);
  EXPECT_EQ(json["design"]["train_queries"], 10);
  EXPECT_EQ(json["queries"].size(), 30U);
  EXPECT_EQ(json["statistics"]["measures"]["AP"]["pairs"][0]["queries"], 30);
  double sum = 0;
  for (const Json& value : json["systems"][0]["per_query"]["AP"]) sum += value.get<double>();
  EXPECT_NEAR(json["systems"][0]["test"]["AP"], sum / 30, 1e-12);
}

TEST_F(Compare, ThePathAlongCAndTheCurveAreKept) {
  options_.learners = "ranksvm(C=0.1,1,10),mart(trees=30),feature";
  run("out");
  const Json json = results("out");
  const Json& cell = json["systems"][0]["cells"][0];
  ASSERT_EQ(cell["path"].size(), 3U);
  EXPECT_EQ(cell["path"][2]["C"], 10.0);
  EXPECT_TRUE(cell["path"][0]["valid"].is_number());
  EXPECT_EQ(cell["curve"]["columns"], (Json{"iteration", "objective", "gap"}));
  EXPECT_LE(cell["objective"]["gap"].get<double>(), 1e-3);
  const Json& curve = json["systems"][1]["cells"][0]["curve"];
  EXPECT_EQ(curve["columns"], (Json{"iteration", "nDCG@5 train", "nDCG@5 valid", "objective"}));
  const auto best = json["systems"][1]["cells"][0]["best_iteration"].get<std::size_t>();
  EXPECT_NEAR(curve["rows"][best - 1][1].get<double>(),
              json["systems"][1]["cells"][0]["train"]["nDCG@5"].get<double>(), 1e-12);
  EXPECT_NEAR(curve["rows"][best - 1][2].get<double>(),
              json["systems"][1]["cells"][0]["valid"]["nDCG@5"].get<double>(), 1e-12);
}

TEST_F(Compare, TooFewQueriesForATestAreReported) {
  Bench bench;
  write_dataset(testing::noisy_linear(3, 8, 5, 7), folder_.file("data.txt"), bench.context);
  options_.learners = "linear,feature";
  run("out");
  const Json json = results("out");
  for (const Json& pair : json["statistics"]["measures"]["AP"]["pairs"])
    EXPECT_TRUE(pair["warning"].is_string() || pair["reason"].is_string());
  EXPECT_THAT(render(baseline_table(json), TableFormat::text),
              HasSubstr("linear and feature: too few queries differ: 1, and p cannot be below 1"));
}

TEST_F(Compare, AFeatureAloneIsASystem) {
  options_.learners = "feature:2,feature:1";
  run("out");
  const Json importance = results("out")["systems"][0]["importance"];
  ASSERT_EQ(importance.size(), 1U);
  EXPECT_EQ(importance[0]["feature"], "2");
  options_.learners = "feature:nonsense";
  EXPECT_THAT(refusal("other", ErrorCode::data), HasSubstr("nonsense"));
}

}  // namespace
}  // namespace podium::compare_test
