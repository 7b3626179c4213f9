#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/model.h"
#include "support/toy_data.h"

namespace podium::serialize_test {
namespace {

using ::testing::HasSubstr;

SavedModel sample() {
  SavedModel saved;
  saved.learner = "linear";
  saved.options = {
      {"l2", 0.1}, {"trees", std::int64_t{3}}, {"norm", true}, {"kind", std::string("x")}};
  saved.loss = "squared";
  saved.measure = "nDCG@10";
  saved.features = {"bm25", "länge \"1\""};
  saved.model = Linear{{0.1, -1.0 / 3}, std::nextafter(1.0, 2.0)};
  saved.training = {.documents = 10,
                    .queries = 2,
                    .fingerprint = 0xfedcba9876543210ULL,
                    .seed = 7,
                    .best_iteration = 4,
                    .validation = {{"nDCG@10", 0.7}},
                    .certificate = Certificate{1.5, 1.25, 0.1},
                    .on_top_of_scores = false,
                    .useless = "all labels are equal"};
  return saved;
}

std::string message(const std::string& json) {
  try {
    model_from_json(json, "m.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    return error.what();
  }
  return "";
}

TEST(ModelFile, RoundTripsExactly) {
  const SavedModel saved = sample();
  const SavedModel back = model_from_json(to_json(saved), "m.json");
  EXPECT_EQ(to_json(back), to_json(saved));
  EXPECT_EQ(back.options, saved.options);
  EXPECT_EQ(std::get<Linear>(back.model).weights, std::get<Linear>(saved.model).weights);
  EXPECT_EQ(std::get<Linear>(back.model).bias, std::get<Linear>(saved.model).bias);
  EXPECT_EQ(back.training.fingerprint, saved.training.fingerprint);
}

TEST(ModelFile, SavesPlainAndCompressed) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("podium-model-test-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const char* name : {"m.json", "m.json.zst", "m.json.gz"}) {
    const std::string path = folder / name;
    save_model(sample(), path);
    EXPECT_EQ(to_json(load_model(path)), to_json(sample())) << name;
  }
  std::filesystem::remove_all(folder);
}

TEST(ModelFile, RefusesWhatIsNotAModel) {
  EXPECT_THAT(message(""), HasSubstr("m.json:1: not a Podium model: the JSON is damaged"));
  EXPECT_THAT(message("{\n\"format\": \"podium-model\",\n}"), HasSubstr("m.json:3:"));
  EXPECT_THAT(message("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(message("7E777"), HasSubstr("too large"));
  EXPECT_THAT(message("{}"), HasSubstr("'format' is missing"));
  EXPECT_THAT(message(R"({"format": "lightgbm"})"), HasSubstr("'format'"));
  EXPECT_THAT(message(R"({"format": "podium-model", "version": 3})"), HasSubstr("newer version"));
}

TEST(ModelFile, NamesTheKeyThatIsWrong) {
  const auto with = [](const char* pointer, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(to_json(sample()));
    json[nlohmann::json::json_pointer(pointer)] = value;
    return message(json.dump());
  };
  EXPECT_THAT(with("/model/weights/1", "x"), HasSubstr("'model.weights' is not a finite number"));
  EXPECT_THAT(with("/model/weights", nlohmann::json::array({1.0})),
              HasSubstr("'features' does not fit"));
  EXPECT_THAT(with("/model/type", "quantum"), HasSubstr("'quantum' is unknown"));
  EXPECT_THAT(with("/features/0", 3), HasSubstr("'features'"));
  EXPECT_THAT(with("/options/l2", nlohmann::json::array()), HasSubstr("option 'l2'"));
  EXPECT_THAT(with("/training/fingerprint", "xyz"), HasSubstr("16 hexadecimal"));
  EXPECT_THAT(with("/training/queries", -1), HasSubstr("whole number"));
  EXPECT_THAT(with("/missing", "left"), HasSubstr("'missing'"));
  EXPECT_THAT(with("/version", 0), HasSubstr("'version' is 0"));
  EXPECT_THAT(with("/features/1", "bm25"), HasSubstr("'bm25' twice"));
  EXPECT_THAT(with("/options/trees", 18446744073709551615ULL), HasSubstr("too large"));
}

TEST(ModelFile, RefusesToSaveModelsThatWouldNotLoad) {
  SavedModel saved = sample();
  std::get<Linear>(saved.model).bias = std::numeric_limits<double>::infinity();
  EXPECT_THROW(to_json(saved), Error);
}

TEST(SavedModel, MatchesFeaturesByName) {
  SavedModel saved = sample();
  saved.features = {"b", "a"};
  saved.model = Linear{{10, 1}, 0};
  DatasetParts parts = testing::make_dataset({1}, 3, {1, 2, 3}, {0}).parts();
  parts.feature_names = {"a", "b", "c"};
  testing::Bench bench;
  EXPECT_EQ(score(saved, Dataset(parts), bench.context), std::vector<double>{21});
  parts.feature_names = {"a", "bb", "c"};
  try {
    score(saved, Dataset(parts), bench.context);
    FAIL() << "a missing feature was not noticed";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("'b'"));
  }
}

TEST(SavedModel, NumberedFeaturesBeyondTheFileAreAbsent) {
  SavedModel saved = sample();
  saved.features = {"1", "2", "3"};
  saved.model = Linear{{1, 10, 100}, 0};
  testing::Bench bench;
  EXPECT_EQ(score(saved, testing::make_dataset({1}, 2, {1, 2}, {0}), bench.context),
            std::vector<double>{21});
  EXPECT_EQ(score(saved, testing::make_dataset({1}, 4, {1, 2, 3, 4}, {0}), bench.context),
            std::vector<double>{321});
}

}  // namespace
}  // namespace podium::serialize_test
