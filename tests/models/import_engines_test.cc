// Models of Solr and of the LTR plugins of Elasticsearch and OpenSearch.
#include <limits>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/export_support.h"
#include "models/importers/input_scaling.h"
#include "podium/error.h"
#include "podium/export.h"

namespace podium::import_engines_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

// After an example of Solr's own tests.
constexpr const char* kSolr = R"({"class":"org.apache.solr.ltr.model.MultipleAdditiveTreesModel",
"name":"trees","features":[{"name":"title"},{"name":"device"}],"params":{"trees":[
{"weight":"2f","root":{"feature":"title","threshold":"0.5f","left":{"value":"-100"},
"right":{"feature":"device","threshold":0.0,"left":{"value":"50"},"right":{"value":75}}}},
{"weight":1,"root":{"feature":"unknown","threshold":"1","left":{"value":"7"},"right":{"value":"9"}}}
]}})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& content, std::string_view format) {
  try {
    import_model(content, "m.json", format);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

double value_at(const SavedModel& model, std::vector<float> document) {
  testing::Bench bench;
  const std::size_t features = document.size();
  return score(model.model, testing::make_dataset({1}, features, std::move(document), {0}),
               bench.context)[0];
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ImportEngines, SolrTrees) {
  const SavedModel model = import_model(kSolr, "m", "solr").model;
  EXPECT_THAT(model.features, ElementsAre("title", "device"));
  EXPECT_EQ(value_at(model, {0.5F, 0}), -200);
  EXPECT_EQ(value_at(model, {0.5F + 1e-6F, 0}), -200);  // Solr's slack
  EXPECT_EQ(value_at(model, {0.50001F, 0}), 100);
  EXPECT_EQ(value_at(model, {1, 1}), 150);
  EXPECT_EQ(value_at(model, {kNan, 1}), -200);  // 0
  std::string nulls = replaced(kSolr, "\"params\":{", "\"params\":{\"isNullSameAsZero\":false,");
  nulls = replaced(nulls, "\"threshold\":\"0.5f\"", "\"threshold\":\"0.5f\",\"missing\":\"right\"");
  EXPECT_EQ(value_at(import_model(nulls, "m", "solr").model, {kNan, 1}), 150);
}

TEST(ImportEngines, SolrNormalizers) {
  constexpr const char* kStandard =
      R"({"name":"title","norm":{"class":"org.apache.solr.ltr.norm.StandardNormalizer",
"params":{"avg":"1.5","std":"0.3"}}})";
  const std::string scaled = replaced(kSolr, "{\"name\":\"title\"}", kStandard);
  const SavedModel model = import_model(scaled, "m", "solr").model;
  const InputScaling scaling{1.5F, 0.3F};
  float x = 1.6F;
  for (int step = 0; step < 5000; ++step, x = std::nextafter(x + 1e-5F, 9.0F))
    ASSERT_EQ(value_at(model, {x, 1}), scaling.of(x) <= 0.5F + 1e-6F ? -200 : 150) << x;
  EXPECT_EQ(value_at(model, {kNan, 1}), -200);
  EXPECT_THAT(message(replaced(scaled, "\"0.3\"", "\"0\""), "solr"), HasSubstr("not positive"));
  EXPECT_THAT(message(replaced(scaled, "StandardNormalizer", "MyNormalizer"), "solr"),
              HasSubstr("Solr's own normalizers"));
}

TEST(ImportEngines, SolrLinearAndNetworks) {
  const std::string linear = R"({"class":"org.apache.solr.ltr.model.LinearModel","name":"l",
"features":[{"name":"a","norm":{"class":"org.apache.solr.ltr.norm.MinMaxNormalizer",
"params":{"min":"1","max":"5"}}},{"name":"b"}],"params":{"weights":{"a":2.0,"b":"0.5"}}})";
  EXPECT_EQ(value_at(import_model(linear, "m", "solr").model, {3, 4}), 2 * 0.5 + 2);
  EXPECT_THAT(message(replaced(linear, "\"b\":\"0.5\"", "\"c\":1"), "solr"),
              HasSubstr("no weight for 'b'"));
  Random random(5);
  for (const auto activation : {Mlp::Activation::tanh, Mlp::Activation::relu}) {
    const SavedModel mlp = testing::saved_model(testing::random_mlp({3, 4, 2}, activation, random));
    const ImportedModel back = import_model(export_model(mlp, "solr").content, "m", "solr");
    EXPECT_THAT(back.notes, ElementsAre(HasSubstr("as the normalizer's mean")));
    for (int i = 0; i < 20; ++i) {
      const std::vector<float> x = {static_cast<float>(random.uniform()),
                                    static_cast<float>(random.uniform()),
                                    static_cast<float>(random.uniform())};
      EXPECT_NEAR(value_at(mlp, x), value_at(back.model, x), 1e-5);
    }
    EXPECT_THAT(message(replaced(export_model(mlp, "solr").content, "identity", "sigmoid"), "solr"),
                HasSubstr("not identity with one output"));
  }
}

TEST(ImportEngines, RefusesDamagedSolr) {
  const auto with = [](const std::string& from, const std::string& to) {
    return message(replaced(kSolr, from, to), "solr");
  };
  EXPECT_THAT(message("<xml>", "solr"), HasSubstr("m.json:1: not a Solr model in JSON"));
  EXPECT_THAT(message("{}", "solr"), HasSubstr("'class' is missing"));
  EXPECT_THAT(with("MultipleAdditiveTreesModel", "WrapperModel"), HasSubstr("none of Solr's"));
  EXPECT_THAT(with("\"0.5f\"", "\"half\""), HasSubstr("threshold' is not a finite number"));
  EXPECT_THAT(with("\"0.5f\"", "1e60"), HasSubstr("too large for single precision"));
  EXPECT_THAT(with("\"left\":{\"value\":\"-100\"},", ""), HasSubstr("left' is missing"));
  EXPECT_THAT(with("\"weight\":\"2f\",", ""), HasSubstr("weight' is missing"));
  EXPECT_THAT(with("[{\"name\":\"title\"},{\"name\":\"device\"}]", "[]"), HasSubstr("is empty"));
}

std::string plugin(const std::string& type, const std::string& definition) {
  return Json({{"model",
                {{"name", "m"},
                 {"model", {{"type", "model/" + type}, {"definition", definition}}}}}})
      .dump();
}

TEST(ImportEngines, PluginModels) {
  const SavedModel linear =
      import_model(plugin("linear", R"({"title":0.5,"body":2})"), "m", "elasticsearch").model;
  EXPECT_THAT(linear.features, ElementsAre("body", "title"));
  EXPECT_EQ(value_at(linear, {1, 4}), 4);
  const std::string trees = R"({"objective":"reg:logistic","splits":[{"nodeid":0,"depth":0,
"split":"title","split_condition":2.0,"yes":1,"no":2,"missing":2,"children":[{"nodeid":1,"leaf":1},
{"nodeid":2,"leaf":3}]}]})";
  const ImportedModel logistic = import_model(plugin("xgboost+json", trees), "m", "elasticsearch");
  EXPECT_THAT(logistic.notes, ElementsAre(HasSubstr("applies the logistic function")));
  EXPECT_EQ(value_at(logistic.model, {kNan}), 3);
  const std::string zero =
      replaced(trees, "{\"objective\"", "{\"missing_as_zero\":true,\"objective\"");
  EXPECT_EQ(
      value_at(import_model(plugin("xgboost+json", zero), "m", "elasticsearch").model, {kNan}), 1);
  Random random(2);
  const SavedModel forest = testing::saved_model(testing::random_forest(3, 6, 3, {}, random));
  const ImportedModel raw =
      import_model(plugin("xgboost+json+raw", export_model(forest, "xgboost-json").content), "m",
                   "elasticsearch");
  EXPECT_NEAR(value_at(raw.model, {1, 0, 1}), value_at(forest, {1, 0, 1}), 1e-5);
}

TEST(ImportEngines, StoredModelsNameTheirFeatures) {
  const std::string stored = R"({"_index":".ltrstore","_source":{"type":"model","model":{"name":"m",
"feature_set":{"features":[{"name":"title"},{"name":"body"}]},"model":{"type":"model/ranklib",
"definition":"## Coordinate Ascent\n1:0.25 2:4\n"}}}})";
  const SavedModel model = import_model(stored, "m", "elasticsearch").model;
  EXPECT_THAT(model.features, ElementsAre("title", "body"));
  EXPECT_EQ(value_at(model, {4, 1}), 5);
  EXPECT_THAT(message(replaced(stored, "2:4", "3:4"), "elasticsearch"),
              HasSubstr("feature 3 of a set of 2"));
}

TEST(ImportEngines, PluginNormalizers) {
  Json request = Json::parse(plugin("linear", R"({"a":4,"b":1})"));
  request["model"]["model"]["feature_normalizers"] = {
      {"a", {{"standard", {{"mean", 2}, {"standard_deviation", 4}}}}},
      {"b", {{"min_max", {{"minimum", -1}, {"maximum", 1}}}}}};
  EXPECT_EQ(value_at(import_model(request.dump(), "m", "elasticsearch").model, {4, 3}), 4);
  request["model"]["model"]["feature_normalizers"]["b"]["min_max"]["maximum"] = -1;
  EXPECT_THAT(message(request.dump(), "elasticsearch"), HasSubstr("not positive"));
}

TEST(ImportEngines, RefusesDamagedPluginModels) {
  EXPECT_THAT(message("{}", "elasticsearch"), HasSubstr("'model' is missing"));
  EXPECT_THAT(message(plugin("linear", "[1]"), "elasticsearch"),
              HasSubstr("'definition' is not an object"));
  EXPECT_THAT(message(plugin("linear", "{"), "elasticsearch"), HasSubstr("not a linear model"));
  EXPECT_THAT(message(plugin("linear", "{}"), "elasticsearch"), HasSubstr("no weights"));
  EXPECT_THAT(message(plugin("linear", "{\"a\\nb\":\"x\"}"), "elasticsearch"),
              HasSubstr("'definition.a?b' is not a finite number"));
  EXPECT_THAT(message(plugin("deep", "{}"), "elasticsearch"), HasSubstr("none of model/xgboost"));
  EXPECT_THAT(message(plugin("xgboost+json", "{}"), "elasticsearch"),
              HasSubstr("'definition.splits' is missing"));
  EXPECT_THAT(message(plugin("xgboost+json", "[]"), "elasticsearch"), HasSubstr("uses no feature"));
}

}  // namespace
}  // namespace podium::import_engines_test
