#include "server/scoring_request.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "podium/error.h"
#include "server/model_files.h"

namespace podium::scoring_request_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ScoringRequest json(const std::string& body, const RequestParameters& parameters = {}) {
  return parse_json_request(body, parameters, {});
}
ScoringRequest letor(const std::string& body, const RequestParameters& parameters = {}) {
  return parse_letor_request(body, parameters, {}, 1);
}

// The values that the model gets, row by row; missing ones are −99.
std::vector<float> values(const SavedModel& model, const ScoringRequest& request) {
  const Dataset data = documents_for(model, request);
  EXPECT_EQ(data.queries(), 1U);
  EXPECT_EQ(data.feature_names(), model.features);
  std::vector<float> out(data.documents() * data.features());
  for (std::size_t i = 0; i < data.documents(); ++i)
    data.rows(i, i + 1).copy(0, std::span(out).subspan(i * data.features(), data.features()));
  for (float& x : out)
    if (std::isnan(x)) x = -99;
  return out;
}

template <class Parse>
std::string problem(Parse&& parse) {
  try {
    parse();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}
std::string json_problem(const std::string& body) {
  return problem([&] { json(body); });
}

TEST(ScoringRequest, DocumentsByName) {
  const auto request = json(R"({"documents": [
      {"features": {"a": 1, "b": 2}, "id": "x"},
      {"id": 7, "features": {"b": 4, "a": 3}},
      {"features": {"b": null}},
      {"features": {}}], "model": "m", "limit": 2, "top": 3})");
  EXPECT_EQ(request.size(), 4U);
  EXPECT_EQ(request.model, "m");
  EXPECT_EQ(request.limit, 2U);
  EXPECT_EQ(request.top, 3U);
  EXPECT_THAT(request.ids, ElementsAre("x", "7"));
  EXPECT_THAT(values(testing::linear_model(), request), ElementsAre(1, 2, 3, 4, 0, -99, 0, 0));
}

TEST(ScoringRequest, DocumentsAsArrays) {
  const auto request = json(R"({"documents": [[1, 2], {"features": [3, null]}]})");
  EXPECT_THAT(values(testing::linear_model(), request), ElementsAre(1, 2, 3, -99));
  EXPECT_THAT(request.ids, IsEmpty());
}

TEST(ScoringRequest, AbsentFeaturesAreZeroOrMissing) {
  const std::string documents = R"("documents": [{"features": {"a": 1}}])";
  EXPECT_THAT(values(testing::linear_model(), json("{" + documents + "}")), ElementsAre(1, 0));
  EXPECT_THAT(values(testing::linear_model(), json("{" + documents + R"(, "absent": "missing"})")),
              ElementsAre(1, -99));
  EXPECT_THAT(values(testing::linear_model(), json("{" + documents + "}", {{"absent", "missing"}})),
              ElementsAre(1, -99));
  EXPECT_THAT(values(testing::stump(), letor("0 qid:1 2:5\n", {{"absent", "missing"}})),
              ElementsAre(-99, 5, -99));
}

TEST(ScoringRequest, AKeySpelledWithEscapesIsTheSameKey) {
  const auto request =
      json(R"({"documents": [{"features": {"a": 1}}, {"features": {"\u0061": 2}}]})");
  EXPECT_THAT(values(testing::linear_model(), request), ElementsAre(1, 0, 2, 0));
  EXPECT_THAT(json_problem(R"({"documents": [{"features": {"a": 1, "\u0061": 2}}]})"),
              HasSubstr("feature \"a\" is given twice"));
}

TEST(ScoringRequest, TheBodyOverridesTheUrl) {
  const auto request =
      json(R"({"model": "inner", "documents": [[1]]})", {{"model", "outer"}, {"limit", "4"}});
  EXPECT_EQ(request.model, "inner");
  EXPECT_EQ(request.limit, 4U);
}

TEST(ScoringRequest, LetorLines) {
  const auto request = letor("# first\n0 qid:1 1:1 3:3 # x\n\n2 qid:1 2:nan 9:4\r\n",
                             {{"model", "m"}, {"top", "2"}});
  EXPECT_EQ(request.model, "m");
  EXPECT_EQ(request.top, 2U);
  EXPECT_THAT(request.ids, ElementsAre("x", ""));
  EXPECT_THAT(values(testing::stump(), request), ElementsAre(1, 0, 3, 0, -99, 0));
  EXPECT_THAT(values(testing::stump(), letor("0 1:1\n0 2:2")), ElementsAre(1, 0, 0, 0, 2, 0));
}

TEST(ScoringRequest, ErrorsInJsonHaveAPosition) {
  EXPECT_THAT(json_problem(""), HasSubstr("at byte 1: the text ends where '{' should be"));
  EXPECT_THAT(json_problem("[]"), HasSubstr("expected '{'"));
  EXPECT_THAT(json_problem("{}"), HasSubstr("no documents"));
  EXPECT_THAT(json_problem(R"({"documents": []})"), HasSubstr("no documents"));
  EXPECT_THAT(json_problem(R"({"documents": [{"features": {"a": NaN}}]})"),
              HasSubstr("JSON has no NaN"));
  EXPECT_THAT(json_problem(R"({"documents": [{"features": {"a": 1e40}}]})"),
              HasSubstr("too large"));
  EXPECT_THAT(json_problem(R"({"documents": [{"features": {"a": maybe}}]})"),
              HasSubstr("expected a number"));
  EXPECT_THAT(json_problem(R"({"documents": [{"id": "x"}]})"), HasSubstr("without \"features\""));
  EXPECT_THAT(json_problem(R"({"documents": [{"features": {}, "features": {}}]})"),
              HasSubstr("given twice"));
  EXPECT_THAT(json_problem(R"({"documents": [{"feature": {}}]})"),
              HasSubstr("unknown key \"feature\""));
  EXPECT_THAT(json_problem(R"({"documents": [[1], {"features": {"a": 1}}]})"),
              HasSubstr("arrays in all"));
  EXPECT_THAT(json_problem(R"({"documents": [7]})"), HasSubstr("a document is"));
  EXPECT_THAT(json_problem(R"({"docments": [[1]]})"), HasSubstr("did you mean documents"));
  EXPECT_THAT(json_problem(R"({"model": "a", "model": "b"})"), HasSubstr("given twice"));
  EXPECT_THAT(json_problem(R"({"documents": [[1]]} x)"), HasSubstr("something follows"));
  EXPECT_THAT(json_problem(R"({"documents": [[1]], "absent": "none"})"),
              HasSubstr("neither zero nor missing"));
  EXPECT_THAT(json_problem("{\"model\": \"\xFF\"}"), HasSubstr("at byte 12: not UTF-8"));
}

TEST(ScoringRequest, WrongParametersAndLines) {
  EXPECT_THAT(problem([] { letor("0 1:1\n", {{"modle", "m"}}); }), HasSubstr("did you mean model"));
  EXPECT_THAT(problem([] {
                letor("0 1:1\n", {{"limit", "-1"}});
              }),
              HasSubstr("not a whole number"));
  EXPECT_THAT(problem([] { letor("0 qid:1 1:1\nx\n"); }), HasSubstr("body:2: "));
  EXPECT_THAT(problem([] { letor("0 qid:1 1:1\n0 qid:2 1:1\n"); }), HasSubstr("qid 1 and qid 2"));
  EXPECT_THAT(problem([] { letor("0 qid:1 1:1\n0 1:1\n"); }), HasSubstr("has no qid"));
  EXPECT_THAT(problem([] { letor("# nothing\n\n"); }), HasSubstr("no documents"));
  EXPECT_THAT(problem([] { letor("0 1:1 1:2\n"); }), HasSubstr("twice"));
  EXPECT_THAT(problem([] { letor("1:0.5 2:0.9\n"); }), HasSubstr("begins with a label"));
  for (const char* name : {"model", "limit"})
    EXPECT_THAT(problem([&] {
                  letor("0 1:1\n", {{name, "1"}, {name, "2"}});
                }),
                HasSubstr(std::string("'") + name + "' is given twice"));
}

TEST(ScoringRequest, LinesNumberFeaturesAsTheModelDoes) {
  SavedModel model = testing::linear_model();
  EXPECT_EQ(first_feature(model), 1);
  EXPECT_THAT(problem([] { letor("0 1:1\n0 0:1\n"); }),
              HasSubstr("body:2: feature 0: the model's features are counted from 1"));
  model.features = {"0", "1"};
  EXPECT_EQ(first_feature(model), 0);
  const ScoringRequest request = parse_letor_request("0 0:5 1:6\n0 1:7\n", {}, {}, 0);
  EXPECT_THAT(values(model, request), ElementsAre(5, 6, 0, 7));
}

TEST(ScoringRequest, FeatureNumbersHaveTheLimitOfFiles) {
  EXPECT_EQ(letor("0 1000000:1\n").size(), 1U);
  EXPECT_THAT(problem([] { letor("0 1000001:1\n"); }), HasSubstr("raise ‹max-features›"));
  RequestLimits ten;
  ten.features = 10;
  EXPECT_THAT(problem([&] { parse_letor_request("0 11:1\n", {}, ten, 1); }),
              HasSubstr("ids go up to 10"));
}

// A large feature number costs no more than a small one.
TEST(ScoringRequest, WideLinesHaveTheFeaturesThatTheyMention) {
  SavedModel model = testing::linear_model();
  model.features = {"1000000", "8", "5", "7"};
  model.model = Linear{{1, 1, 1, 1}, 0};
  const ScoringRequest request = letor("0 7:1 1000000:2\n0 3:9 5:4\n");
  EXPECT_EQ(std::get<Dataset>(request.documents).features(), 4U);
  EXPECT_THAT(values(model, request), ElementsAre(2, 0, 0, 1, 0, 0, 4, 0));
  EXPECT_THAT(values(model, letor("0 5:4 900000:1\n", {{"absent", "missing"}})),
              ElementsAre(-99, -99, 4, -99));
  EXPECT_THAT(values(model, letor("0 1:1 2:2 3:3 4:4 5:5 6:6 7:7\n0 900000:1\n")),
              ElementsAre(0, 0, 5, 7, 0, 0, 0, 0));
}

TEST(ScoringRequest, LimitsOnDocuments) {
  RequestLimits two;
  two.documents = 2;
  EXPECT_EQ(parse_json_request(R"({"documents": [[1], [2]]})", {}, two).size(), 2U);
  EXPECT_THAT(problem([&] { parse_json_request(R"({"documents": [[1], [2], [3]]})", {}, two); }),
              HasSubstr("more than 2 documents"));
  EXPECT_EQ(parse_letor_request("0 1:1\n0 1:2", {}, two, 1).size(), 2U);
  EXPECT_THAT(problem([&] { parse_letor_request("0 1:1\n0 1:2\n0 1:3", {}, two, 1); }),
              HasSubstr("more than 2 documents"));
}

// Two features: a number, and a category with the values 7, 123456789 and acme.
SavedModel category_model() {
  SavedModel model = testing::linear_model();
  model.schema =
      FeatureSchema({{1, make_strings(std::vector<std::string>{"7", "123456789", "acme"})}});
  return model;
}

TEST(ScoringRequest, CategoriesAreStringsOrNumbers) {
  const SavedModel model = category_model();
  const auto of = [&](const std::string& documents) {
    return values(model, json(R"({"documents": [)" + documents + "]}"));
  };
  EXPECT_THAT(of(R"([1, "acme"], [2, 7], [3, "7"], [4, 123456789], [5, "zeta"], [6, null])"),
              ElementsAre(1, 2, 2, 0, 3, 0, 4, 1, 5, -99, 6, -99));
  // A float cannot tell 123456789 from its neighbours; the texts can.
  EXPECT_THAT(of(R"([1, 123456788], [1, 7.5])"), ElementsAre(1, -99, 1, -99));
  EXPECT_THAT(of(R"({"features": {"b": "acme", "a": 3}}, {"features": {"a": 4}})"),
              ElementsAre(3, 2, 4, -99));
  EXPECT_THAT(problem([&] { of(R"(["acme", 7])"); }),
              HasSubstr(R"(feature "a" is a number, not a text such as "acme")"));
  const Dataset data = documents_for(model, json(R"({"documents": [[1, "acme"]]})"));
  EXPECT_EQ(data.schema().hash(), model.schema.hash());
}

TEST(ScoringRequest, TruthValuesAreNumbersOrCategories) {
  SavedModel model = category_model();
  const auto of = [&](const std::string& documents) {
    return values(model, json(R"({"documents": [)" + documents + "]}"));
  };
  EXPECT_THAT(of("[true, 7], [false, true]"), ElementsAre(1, 0, 0, -99));
  for (const std::vector<std::string>& known :
       {std::vector<std::string>{"False", "True"}, {"false", "true"}, {"0", "1"}}) {
    model.schema = FeatureSchema({{1, make_strings(known)}});
    EXPECT_THAT(of("[2, true], [3, false]"), ElementsAre(2, 1, 3, 0));
  }
}

TEST(ScoringRequest, CategoriesOfLetorLines) {
  SavedModel model = category_model();
  model.features = {"1", "2"};
  EXPECT_THAT(values(model, letor("0 1:5 2:7\n0 1:5 2:8\n0 1:5\n")),
              ElementsAre(5, 0, 5, -99, 5, -99));
}

TEST(ScoringRequest, DocumentsMustFitTheModel) {
  const SavedModel model = testing::linear_model();
  EXPECT_THAT(
      problem([&] { documents_for(model, json(R"({"documents": [{"features": {"c": 1}}]})")); }),
      HasSubstr("the model has no feature \"c\""));
  EXPECT_THAT(problem([&] { documents_for(model, json(R"({"documents": [[1, 2], [3]]})")); }),
              HasSubstr("document 2: 1 numbers, but the model has 2 features"));
  EXPECT_THAT(problem([&] { documents_for(model, json(R"({"documents": [[], []]})")); }),
              HasSubstr("document 1: 0 numbers"));
  EXPECT_THAT(problem([&] { documents_for(model, letor("0 1:1\n")); }), HasSubstr("'a'"));
}

}  // namespace
}  // namespace podium::scoring_request_test
