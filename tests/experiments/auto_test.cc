// The search for the best ranker: the estimate is honest, and nothing depends on threads or on
// where an earlier run ended.
#include "podium/auto.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "experiments/automatic/nested_estimate.h"
#include "podium/error.h"
#include "podium/split.h"
#include "podium/training.h"
#include "support/toy_data.h"

namespace podium::auto_test {
namespace {

using Json = nlohmann::json;
using testing::Bench;

AutoOptions quick() {
  AutoOptions options;
  options.learners = "linear,adarank,listnet";
  options.folds = 3;
  options.trials = 12;
  return options;
}

// Labels that have nothing to do with the features.
Dataset random_labels(std::size_t queries, std::uint64_t seed) {
  DatasetParts parts = testing::noisy_linear(queries, 6, 4, seed).parts();
  Random random(seed + 1000);
  std::vector<float> labels;
  for (std::size_t i = 0; i < queries * 6; ++i)
    labels.push_back(random.below(3) == 0 ? 1.0F : 0.0F);
  parts.labels = std::move(labels);
  return Dataset(std::move(parts));
}

TEST(Auto, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = testing::noisy_linear(30, 6, 4, 1);
  Bench one(1), two(2);
  const AutoResult first = find_ranker(quick(), {}, data, nullptr, one.context);
  const AutoResult second = find_ranker(quick(), {}, data, nullptr, two.context);
  EXPECT_EQ(to_json(first.model), to_json(second.model));
  const Json a = Json::parse(first.summary), b = Json::parse(second.summary);
  EXPECT_EQ(a["estimate"]["value"], b["estimate"]["value"]);
  EXPECT_EQ(a["trials"], 12);
}

// Choosing among many by the labels that judge would give more than chance on them. The folds that
// choose and judge the same queries show that; the nested estimate does not.
TEST(Auto, EstimateOfRandomLabelsIsNotOptimistic) {
  double nested = 0, leaking = 0, chance = 0;
  constexpr int kSets = 12;
  for (int set = 0; set < kSets; ++set) {
    const Dataset data = random_labels(30, static_cast<std::uint64_t>(set));
    Bench bench(2);
    AutoOptions options = quick();
    options.measure = "nDCG@3";
    const Json summary =
        Json::parse(find_ranker(options, {}, data, nullptr, bench.context).summary);
    nested += summary["estimate"]["value"].get<double>() / kSets;
    leaking += summary["value"].get<double>() / kSets;
    const Convention convention;
    chance += evaluate(parse_measures("nDCG@3", convention).front(), convention, data,
                       std::vector<double>(data.documents()), bench.context) /
              kSets;
  }
  // 360 queries: the standard error of a mean is below 0.02.
  EXPECT_NEAR(nested, chance, 0.045);
  EXPECT_GT(leaking, nested + 0.02);
}

// The larger models of the estimate are those that a user would train on all folds but one, and see
// nothing of it; its value is theirs plus a third of what they gained, with three folds.
TEST(Auto, EstimateFollowsTheLearningCurveToAllData) {
  const Dataset data = testing::noisy_linear(30, 6, 4, 3);
  Bench bench;
  AutoOptions options = quick();
  options.learners = "linear";
  options.trials = 1;
  const Json summary = Json::parse(find_ranker(options, {}, data, nullptr, bench.context).summary);
  const Json& estimate = summary["estimate"];
  const Json& curve = estimate["learning_curve"];
  ASSERT_EQ(curve.size(), 2U);
  EXPECT_DOUBLE_EQ(curve[0]["share"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(curve[1]["share"], 2.0 / 3);
  TrainingSpec spec{.learner = "linear"};
  const auto measure = parse_measures(options.measure, spec.convention).front();
  spec.measures = {measure};
  double smaller = 0, larger = 0;
  const std::vector<Fold> folds = make_folds(data, 3, bench.context.seed);
  const auto own = [&](const Fold& fold) {
    const Dataset valid = select_queries(data, fold.valid);
    return train(spec, prepare(spec, select_queries(data, fold.train), &valid, bench.context),
                 bench.context);
  };
  for (const Fold& fold : folds) {
    const Dataset test = select_queries(data, fold.test);
    const auto value = [&](const SavedModel& model) {
      return evaluate(measure, spec.convention, test, score(model, test, bench.context),
                      bench.context) /
             3;
    };
    smaller += value(own(fold).model);
    // The strength of regularisation: the lower median of what two of the splits chose.
    double strength = HUGE_VAL;
    for (const Fold& other : folds)
      if (other.valid != fold.test)
        strength = std::min(strength, own(other).result.chosen.at(0).second);
    TrainingSpec again = spec;
    again.options = {{own(fold).result.chosen.at(0).first, fmt::format("{}", strength)}};
    std::vector<std::size_t> others = fold.train;
    others.insert(others.end(), fold.valid.begin(), fold.valid.end());
    std::sort(others.begin(), others.end());
    larger += value(train(again, select_queries(data, others), nullptr, bench.context));
  }
  EXPECT_NEAR(curve[0]["value"], smaller, 1e-12);
  EXPECT_NEAR(curve[1]["value"], larger, 1e-12);
  EXPECT_NEAR(estimate["value"], larger + (larger - smaller) / 3, 1e-12);
}

// By hand: folds with the means 1, 2 and 3 of two values each, whose mean square is 2 · 2 / 2.
TEST(Auto, IntervalsAreWiderIfFoldsDiffer) {
  const double nan = std::nan("");
  const double variance = (2 * (0.9 * 0.9 + 1.1 * 1.1) + 2 * 0.1 * 0.1) / 5;
  EXPECT_NEAR(spread_of_folds({0.9, 1.1, 1.9, 2.1, 2.9, 3.1}, {2, 2, 2}), std::sqrt(2 / variance),
              1e-12);
  EXPECT_NEAR(spread_of_folds({0.9, nan, 1.1, 1.9, 2.1, 2.9, 3.1, nan}, {3, 2, 3}),
              std::sqrt(2 / variance), 1e-12);
  EXPECT_EQ(spread_of_folds({1, 3, 1, 3, 1, 3}, {2, 2, 2}), 1);  // as alike as can be
  EXPECT_EQ(spread_of_folds({1, 1, 1, 1}, {2, 2}), 1);
  EXPECT_EQ(spread_of_folds({1, nan}, {1, 1}), 1);
}

TEST(Auto, WithValidationDataJudgesByIt) {
  const Dataset train = testing::noisy_linear(30, 6, 4, 1),
                valid = testing::noisy_linear(20, 6, 4, 2);
  Bench bench;
  const AutoResult result = find_ranker(quick(), {}, train, &valid, bench.context);
  const Json summary = Json::parse(result.summary);
  EXPECT_EQ(summary["estimate"]["queries"], 20);
  EXPECT_GT(summary["estimate"]["value"], 0.5);
  EXPECT_TRUE(summary["estimate"]["learning_curve"].empty());
}

// A thousandth of the time that the learners take: the flagship is a candidate, and in the
// estimate.
TEST(Auto, HasTheFlagshipWithHardlyAnyTime) {
  const Dataset data = testing::noisy_linear(200, 12, 8, 1);
  Bench bench(2);
  AutoOptions options;
  options.seconds = 0.02;
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "podium-auto-time-test";
  std::filesystem::remove_all(folder);
  const AutoResult result = find_ranker(options, {folder, "v"}, data, nullptr, bench.context);
  const Json summary = Json::parse(result.summary);
  EXPECT_EQ(summary["judged"][0]["learner"], "lambdamart");
  EXPECT_EQ(summary["budget"]["cut"][0]["iterations"].get<int>() > 0, true);
  ASSERT_TRUE(summary["estimate"].is_object());
  EXPECT_GT(summary["estimate"]["against"][1]["value"].get<double>(), 0);
  // What was cut is cut again after the same iterations, without the clock.
  const AutoRun replay{.version = "v", .replay = (folder / "log.json").string()};
  const AutoResult again = find_ranker(options, replay, data, nullptr, bench.context);
  EXPECT_EQ(to_json(result.model), to_json(again.model));
  std::filesystem::remove_all(folder);
}

TEST(Auto, SimpleIsASingleLearner) {
  const Dataset data = testing::noisy_linear(30, 6, 4, 1);
  Bench bench;
  AutoOptions options = quick();
  options.simple = true;
  const AutoResult result = find_ranker(options, {}, data, nullptr, bench.context);
  const Json summary = Json::parse(result.summary);
  ASSERT_EQ(summary["chosen"].size(), 1U);
  EXPECT_EQ(result.model.learner, summary["best_single"]["learner"]);
}

TEST(Auto, RefusesAFolderOfAnotherRunAndUnknownLearners) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "podium-auto-test";
  std::filesystem::remove_all(folder);
  const Dataset data = testing::noisy_linear(30, 6, 4, 1),
                other = testing::noisy_linear(30, 6, 4, 2);
  Bench bench;
  AutoOptions options = quick();
  options.trials = 2;
  const AutoResult first = find_ranker(options, {folder, "v", ""}, data, nullptr, bench.context);
  const AutoResult again = find_ranker(options, {folder, "v", ""}, data, nullptr, bench.context);
  EXPECT_EQ(to_json(first.model), to_json(again.model));
  EXPECT_THROW(find_ranker(options, {folder, "v", ""}, other, nullptr, bench.context), Error);
  std::filesystem::remove_all(folder);
  options.learners = "linear,nonsense";
  EXPECT_THROW(find_ranker(options, {}, data, nullptr, bench.context), Error);
}

// What an Error or the notes of a run say.
class NoteKeeper final : public Observer {
 public:
  void note(std::string_view text) override { notes.append(text).append("\n"); }
  std::string notes;
};
std::string refusal(const AutoOptions& options, const AutoRun& run, const Dataset& data,
                    Bench& bench) {
  try {
    find_ranker(options, run, data, nullptr, bench.context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Auto, ReplaysOnlyTheSameRun) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "podium-auto-replay-test";
  std::filesystem::remove_all(folder);
  const Dataset data = testing::noisy_linear(30, 6, 4, 1),
                other = testing::noisy_linear(30, 6, 4, 2);
  Bench bench;
  AutoOptions options = quick();
  options.trials = 4;
  const AutoResult first = find_ranker(options, {folder, "v"}, data, nullptr, bench.context);
  const AutoRun replay{.version = "v", .replay = (folder / "log.json").string()};
  options.trials = 0;
  EXPECT_EQ(to_json(first.model),
            to_json(find_ranker(options, replay, data, nullptr, bench.context).model));
  EXPECT_NE(refusal(options, replay, other, bench).find("a run on other training data"),
            std::string::npos);
  AutoOptions changed = options;
  changed.folds = 4;
  EXPECT_NE(refusal(changed, replay, data, bench).find("with ‹folds 3›, and now it is 4"),
            std::string::npos);
  changed = options;
  changed.learners = "linear,adarank";
  EXPECT_NE(refusal(changed, replay, data, bench).find("‹learners linear,adarank,listnet›"),
            std::string::npos);
  bench.context.seed = 2;
  EXPECT_NE(refusal(options, replay, data, bench).find("‹seed 1›"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Auto, SaysWhatTheDataCannotTell) {
  Bench bench;
  NoteKeeper notes;
  const Dataset data = testing::noisy_linear(30, 6, 4, 1);
  Context context{1, bench.context.pool, bench.context.comm, notes};
  AutoOptions options = quick();
  options.trials = 1;
  find_ranker(options, {}, data, &data, context);
  EXPECT_NE(
      notes.notes.find("30 of the 30 queries of the validation data are also in the training"),
      std::string::npos)
      << notes.notes;
  DatasetParts parts = data.parts();
  parts.labels = std::vector<float>(data.documents());
  EXPECT_NE(refusal(options, {}, Dataset(std::move(parts)), bench).find("documents of different"),
            std::string::npos);
}

}  // namespace
}  // namespace podium::auto_test
