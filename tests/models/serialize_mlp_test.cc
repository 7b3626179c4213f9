#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "podium/model.h"

namespace podium::serialize_mlp_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

SavedModel sample() {
  SavedModel saved;
  saved.learner = "mlp";
  saved.features = {"1", "2"};
  saved.model = Mlp{Mlp::Activation::relu,
                    {0.1F, -3},
                    {1.0F / 3, 0},
                    {{{{0.1F, 0.2F}, {-1, std::nextafter(1.0F, 2.0F)}, {5, 0}}, {0, 1e-20F, 3}},
                     {{{2, -0.7F, 1e-3F}}, {0.25F}}}};
  return saved;
}

std::string message(const Json& json) {
  try {
    model_from_json(json.dump(), "m.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    return error.what();
  }
  return "";
}

TEST(MlpFile, RoundTripsExactly) {
  const SavedModel saved = sample();
  const std::string text = to_json(saved);
  const SavedModel back = model_from_json(text, "m.json");
  EXPECT_EQ(to_json(back), text);
  const Mlp &a = std::get<Mlp>(saved.model), &b = std::get<Mlp>(back.model);
  EXPECT_EQ(b.activation, a.activation);
  EXPECT_EQ(b.mean, a.mean);
  EXPECT_EQ(b.scale, a.scale);
  ASSERT_EQ(b.layers.size(), a.layers.size());
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    EXPECT_EQ(b.layers[l].weights, a.layers[l].weights);
    EXPECT_EQ(b.layers[l].bias, a.layers[l].bias);
  }
  EXPECT_EQ(Json::parse(text)["missing"], "mean");
  EXPECT_THAT(text, HasSubstr("[0.1,0.2]"));
}

TEST(MlpFile, NamesWhatIsWrong) {
  const auto with = [](const char* pointer, const Json& value) {
    auto json = Json::parse(to_json(sample()));
    json[Json::json_pointer(pointer)] = value;
    return message(json);
  };
  EXPECT_THAT(with("/model/activation", "sine"), HasSubstr("'sine' is unknown"));
  EXPECT_THAT(with("/model/mean", Json::array({1})), HasSubstr("'mean' and 'scale'"));
  EXPECT_THAT(with("/model/scale/0", -1), HasSubstr("'scale'"));
  EXPECT_THAT(with("/model/scale/0", 1e-45), HasSubstr("'scale'"));
  EXPECT_THAT(with("/model/scale/0", 1e300), HasSubstr("'scale'"));
  EXPECT_THAT(with("/model/mean/0", 1e39), HasSubstr("'mean' is not finite"));
  EXPECT_THAT(with("/model/layers", Json::array()), HasSubstr("'layers' is empty"));
  EXPECT_THAT(with("/model/layers/0/weights/1", Json::array({1})), HasSubstr("for 2 inputs"));
  EXPECT_THAT(with("/model/layers/0/weights/1", 7), HasSubstr("array of arrays"));
  EXPECT_THAT(with("/model/layers/0/weights/1/0", "x"), HasSubstr("finite number"));
  EXPECT_THAT(with("/model/layers/0/weights/1/0", -1e39), HasSubstr("weight that is not finite"));
  EXPECT_THAT(with("/model/layers/0/bias", Json::array({1})), HasSubstr("rows of weights"));
  EXPECT_THAT(with("/model/layers/1/bias", Json::array()), HasSubstr("rows of weights"));
  EXPECT_THAT(with("/missing", "zero"), HasSubstr("'missing'"));
  auto json = Json::parse(to_json(sample()));
  json["model"]["layers"].erase(1);
  EXPECT_THAT(message(json), HasSubstr("3 outputs, not one"));
}

TEST(MlpFile, RefusesToSaveModelsThatWouldNotLoad) {
  SavedModel saved = sample();
  std::get<Mlp>(saved.model).layers[0].bias[1] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(to_json(saved), Error);
}

TEST(MlpModel, ImportanceSumsThePathsFromEachInput) {
  const Model model = sample().model;
  EXPECT_EQ(feature_count(model), 2U);
  const auto sizes = importance(model);
  EXPECT_NEAR(sizes[0], 0.1 * 2 + 1 * 0.7 + 5 * 1e-3, 1e-6);
  EXPECT_EQ(sizes[1], 0);  // a constant input
  EXPECT_EQ(split_counts(model), (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace podium::serialize_mlp_test
