// Models trained with LightGBM 4.7, XGBoost 3.2, CatBoost 1.2.10 and RankLib 2.11 (RankyMcRankFace
// 0.1.1), with their scores, ONNX Runtime's scores of CatBoost's ONNX file, and LightGBM's feature
// contributions. foreign/make.py writes those of XGBoost and CatBoost. tests/consumers makes the
// same comparisons with the programs themselves.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "podium/data_io.h"
#include "podium/explain.h"
#include "podium/export.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::foreign_models_test {
namespace {

std::string golden(const std::string& name) {
  return (std::filesystem::path(PODIUM_GOLDEN_FILES) / "foreign" / name).string();
}

std::vector<double> numbers(const std::string& name) {
  std::ifstream file(golden(name));
  std::vector<double> out;
  for (double number; file >> number;) out.push_back(number);
  return out;
}

SavedModel imported(const std::string& name, std::string_view format) {
  return import_model(testing::bytes_of_file(golden(name)), name, format).model;
}

TEST(ForeignModels, LightGbmScores) {
  testing::Bench bench;
  const SavedModel model = imported("lightgbm.txt", "lightgbm");
  const Dataset data = read_dataset(golden("data.txt"), {}, bench.context);
  EXPECT_EQ(score(model, data, bench.context), numbers("lightgbm.scores"));
}

TEST(ForeignModels, LightGbmContributions) {
  testing::Bench bench;
  const SavedModel model = imported("lightgbm.txt", "lightgbm");
  const Dataset data = read_dataset(golden("data.txt"), {}, bench.context);
  const std::vector<double> theirs = numbers("lightgbm.contributions");
  const auto explained = explain(model, data, bench.context);
  const std::size_t width = model.features.size() + 1;  // the base comes last
  ASSERT_EQ(theirs.size(), explained.size() * width);
  for (std::size_t i = 0; i < explained.size(); ++i) {
    for (std::size_t f = 0; f + 1 < width; ++f)
      EXPECT_NEAR(explained[i].contributions[f], theirs[i * width + f], 1e-14);
    EXPECT_NEAR(explained[i].base, theirs[i * width + width - 1], 1e-14);
  }
}

TEST(ForeignModels, RankLibScores) {
  testing::Bench bench;
  const SavedModel model = imported("ranklib.txt", "ranklib");
  const Dataset data = read_dataset(golden("data_full.txt"), {}, bench.context);
  const std::vector<double> ours = score(model, data, bench.context);
  const std::vector<double> theirs = numbers("ranklib.scores");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 1e-6);
}

// The largest difference, in terms of the largest score.
double difference(const SavedModel& model, const std::string& scores, double shift = 0) {
  testing::Bench bench;
  const Dataset data = read_dataset(golden("data.txt"), {}, bench.context);
  const std::vector<double> ours = score(model, data, bench.context), theirs = numbers(scores);
  EXPECT_EQ(ours.size(), theirs.size());
  double largest = 0, furthest = 0;
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    largest = std::max(largest, std::abs(theirs[i]));
    furthest = std::max(furthest, std::abs(ours[i] + shift - theirs[i]));
  }
  EXPECT_GT(largest, 0);
  return furthest / largest;
}

// XGBoost and ONNX Runtime add in single precision.
TEST(ForeignModels, XgboostScores) {
  EXPECT_LE(difference(imported("xgboost.json", "xgboost"), "xgboost.scores"), 1e-6);
  EXPECT_LE(difference(imported("xgboost.ubj", "xgboost"), "xgboost.scores"), 1e-6);
  EXPECT_LE(difference(imported("xgboost-dart.ubj", "xgboost"), "xgboost-dart.scores"), 1e-6);
  EXPECT_LE(difference(imported("xgboost-dump.json", "xgboost"), "xgboost.scores", 0.25), 1e-6);
}

TEST(ForeignModels, XgboostFilesOfBothKindsAreTheSameModel) {
  EXPECT_EQ(to_json(imported("xgboost.json", "xgboost")),
            to_json(imported("xgboost.ubj", "xgboost")));
}

TEST(ForeignModels, CatBoostScores) {
  EXPECT_LE(difference(imported("catboost.json", "catboost"), "catboost.scores"), 1e-14);
  EXPECT_LE(
      difference(imported("catboost-lossguide.json", "catboost"), "catboost-lossguide.scores"),
      1e-14);
}

TEST(ForeignModels, OnnxScores) {
  EXPECT_LE(difference(imported("catboost.onnx", "onnx"), "catboost-onnx.scores"), 1e-6);
}

TEST(ForeignModels, RoundTrips) {
  testing::Bench bench;
  const Dataset data = read_dataset(golden("data_full.txt"), {}, bench.context);
  constexpr std::pair<const char*, const char*> kModels[] = {{"lightgbm.txt", "lightgbm"},
                                                             {"ranklib.txt", "ranklib"},
                                                             {"xgboost.ubj", "xgboost"},
                                                             {"catboost.json", "catboost"}};
  for (const auto& [file, format] : kModels) {
    const SavedModel model = imported(file, format);
    for (const ExportFormat& to : export_formats()) {
      ExportOptions zero;
      zero.missing = ExportOptions::Missing::zero;
      const ExportedModel exported = export_model(model, to.name, zero);
      EXPECT_TRUE(verify_export(model, exported, data, bench.context).holds()) << to.name;
    }
    const ExportedModel text = export_model(model, "lightgbm");
    const SavedModel back = import_model(text.content, "back.txt", "lightgbm").model;
    EXPECT_EQ(score(back, data, bench.context), score(model, data, bench.context));
  }
}

}  // namespace
}  // namespace podium::foreign_models_test
