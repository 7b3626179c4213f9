#include "server/scoring_server.h"

#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include <gmock/gmock.h>

#include "core/output_file.h"
#include "server/server_fixture.h"
#include "server/token.h"

namespace podium::scoring_server_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kJson;
using testing::kLetor;
using testing::kTwoDocuments;
using ::testing::StartsWith;
using Json = nlohmann::json;

class ScoringServerTest : public testing::ServerTest {};

TEST_F(ScoringServerTest, Scores) {
  start();
  EXPECT_EQ(answer("/v1/score", kTwoDocuments),
            Json::parse(R"({"model": "plain", "scores": [1.0, 2.0]})"));
  EXPECT_EQ(answer("/v1/score?model=stump", "0 2:1\n0 2:0\n", kLetor)["scores"],
            Json::parse("[1.0, -1.0]"));
  EXPECT_EQ(answer("/v1/score", R"({"documents": [[1, 2, 3]], "model": "stump"})")["scores"],
            Json::parse("[1.0]"));
  EXPECT_EQ(answer("/v1/score", R"({"documents": [[1, null, 3]], "model": "stump"})")["scores"],
            Json::parse("[1.0]"));
}

TEST_F(ScoringServerTest, ScoresFeaturesThatCountFromZero) {
  SavedModel model = testing::linear_model();
  model.features = {"0", "1"};
  save_model(model, folder_.file("plain.json"));
  start();
  EXPECT_EQ(answer("/v1/score", "0 0:1 1:10\n0 0:3\n", kLetor)["scores"],
            Json::parse("[21.0, 3.0]"));
}

TEST_F(ScoringServerTest, ScoresARequestAsOneQuery) {
  start();
  const char* const documents = R"({"model": "scaled", "documents": [[10, 5], [20, 5], [15, 5]]})";
  EXPECT_EQ(answer("/v1/score", documents)["scores"], Json::parse("[0.0, 1.0, 0.5]"));
}

TEST_F(ScoringServerTest, Ranks) {
  start();
  EXPECT_EQ(answer("/v1/rank", kTwoDocuments), Json::parse(R"({"model": "plain", "documents": [
      {"rank": 1, "index": 1, "id": "high", "score": 2.0},
      {"rank": 2, "index": 0, "id": "low", "score": 1.0}]})"));
  const Json first = answer("/v1/rank?limit=1", R"({"documents": [[1, 1], [2, 0], [3, 0]]})");
  EXPECT_EQ(first["documents"],
            Json::parse(R"([{"rank": 1, "index": 0, "score": 3.0}])"));  // ties: in request order
}

TEST_F(ScoringServerTest, Explains) {
  start();
  const Json why = answer("/v1/explain", R"({"documents": [[1, 2], [3, 0]]})");
  EXPECT_EQ(why["method"], "terms");
  EXPECT_EQ(why["documents"][0],
            Json::parse(R"({"rank": 1, "index": 0, "score": 5.0, "base": 0.0, "contributions": [
      {"feature": "b", "value": 2.0, "contribution": 4.0}, {"feature": "a", "value": 1.0, "contribution": 1.0}],
      "others": 0.0})"));
  const Json top = answer("/v1/explain?top=1&limit=1", R"({"documents": [[1, 2], [3, 0]]})");
  EXPECT_EQ(top["documents"].size(), 1U);
  EXPECT_EQ(top["documents"][0]["contributions"].size(), 1U);
  EXPECT_EQ(top["documents"][0]["others"], 1.0);
  EXPECT_EQ(answer("/v1/explain?model=stump", "0 2:1\n", kLetor)["method"], "shapley");
}

TEST_F(ScoringServerTest, DescribesItsModels) {
  start();
  const Json models = Json::parse(client_->Get("/v1/model")->body);
  EXPECT_EQ(models["default"], "plain");
  ASSERT_EQ(models["models"].size(), 3U);
  EXPECT_EQ(models["models"][0]["features"], Json::parse(R"(["a", "b"])"));
  EXPECT_EQ(models["models"][0]["problem"], nullptr);
  EXPECT_EQ(models["models"][1]["normalization"], "query-minmax");
  EXPECT_EQ(models["models"][2]["trees"], 1);
}

TEST_F(ScoringServerTest, ReportsErrors) {
  start();
  EXPECT_THAT(refusal(post("/v1/score", "{")), HasSubstr("400 at byte 2"));
  EXPECT_THAT(refusal(post("/v1/score", R"({"documents": [{"features": {"c": 1}}]})")),
              HasSubstr("400 the model has no feature \"c\""));
  EXPECT_THAT(refusal(post("/v1/score", R"({"documents": [[NaN, 1]]})")),
              HasSubstr("400 at byte 17: JSON has no NaN"));
  EXPECT_THAT(refusal(post("/v1/score", R"({"documents": [[1, 2]], "model": "plian"})")),
              HasSubstr("404 no model 'plian', did you mean plain"));
  EXPECT_THAT(refusal(post("/v1/score", "x", kLetor)), HasSubstr("400 body:1: "));
  EXPECT_THAT(refusal(post("/v1/score?model=plain&model=stump", kTwoDocuments)),
              HasSubstr("400 the parameter 'model' is given twice"));
  EXPECT_THAT(refusal(post("/v1/score?model=stump", "0 0:1\n", kLetor)),
              HasSubstr("400 body:1: feature 0: the model's features are counted from 1"));
  EXPECT_THAT(refusal(post("/v1/score?modle=x", kTwoDocuments)),
              HasSubstr("400 unknown parameter 'modle'"));
  EXPECT_THAT(refusal(post("/v1/score", "{}", "application/xml")), StartsWith("415 "));
  EXPECT_THAT(refusal(post("/v1/score", "{}", "multipart/form-data; boundary=x")),
              StartsWith("415 "));
  EXPECT_THAT(refusal(client_->Get("/v1/score")), StartsWith("405 "));
  EXPECT_THAT(refusal(post("/healthz", "{}")), StartsWith("405 "));
  EXPECT_THAT(refusal(client_->Get("/etc/passwd")), StartsWith("404 "));
  EXPECT_THAT(refusal(client_->Get("/", {{"Host", "evil.example"}})), StartsWith("403 "));
  httplib::Headers zipped = {{"Content-Encoding", "gzip"}};
  EXPECT_THAT(refusal(client_->Post("/v1/score", zipped, "{}", kJson)), StartsWith("415 "));
  EXPECT_EQ(client_->Get("/healthz")->status, 200);
}

TEST_F(ScoringServerTest, RequiresTheToken) {
  options_.token = "secret";
  start();
  EXPECT_THAT(refusal(post("/v1/score", kTwoDocuments)), StartsWith("401 "));
  EXPECT_THAT(refusal(client_->Get("/metrics")), StartsWith("401 "));
  EXPECT_EQ(client_->Get("/healthz")->status, 200);
  EXPECT_EQ(client_->Get("/")->status, 200);
  client_->set_bearer_token_auth("secreT");
  EXPECT_THAT(refusal(post("/v1/score", kTwoDocuments)), StartsWith("401 "));
  client_->set_bearer_token_auth("secret");
  EXPECT_EQ(answer("/v1/score", kTwoDocuments)["scores"].size(), 2U);
  EXPECT_EQ(client_->Get("/v1/model")->status, 200);
}

TEST_F(ScoringServerTest, CountsRequests) {
  start();
  answer("/v1/score", kTwoDocuments);
  answer("/v1/rank?model=stump", "0 2:1\n", kLetor);
  post("/v1/score", "{");
  client_->Get("/nowhere");
  client_->Get("/elsewhere");
  const std::string metrics = client_->Get("/metrics")->body;
  for (const char* line : {"podium_requests_total{path=\"/v1/score\",code=\"200\"} 1\n",
                           "podium_requests_total{path=\"/v1/score\",code=\"400\"} 1\n",
                           "podium_requests_total{path=\"other\",code=\"404\"} 2\n",
                           "podium_documents_total{model=\"plain\"} 2\n",
                           "podium_documents_total{model=\"stump\"} 1\n",
                           "podium_request_seconds_bucket{path=\"/v1/score\",le=\"+Inf\"} 2\n",
                           "podium_request_seconds_count{path=\"/v1/rank\"} 1\n",
                           "# TYPE podium_request_seconds histogram\n"})
    EXPECT_THAT(metrics, HasSubstr(line));
}

TEST_F(ScoringServerTest, LoadsANewFileAndKeepsTheOldModelIfItIsBroken) {
  start();
  const auto wait_until = [&](const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!holds() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return holds();
  };
  const auto score = [&] {
    return answer("/v1/score", R"({"documents": [[0, 1]]})")["scores"][0].get<double>();
  };
  EXPECT_EQ(score(), 2);
  save_model(testing::linear_model(7), folder_.file("plain.json"));
  EXPECT_TRUE(wait_until([&] { return score() == 7; }));
  write_file(folder_.file("plain.json"), "broken");
  EXPECT_TRUE(wait_until([&] {
    return !Json::parse(client_->Get("/v1/model")->body)["models"][0]["problem"].is_null();
  }));
  EXPECT_EQ(score(), 7);
  const std::scoped_lock lock(mutex_);
  EXPECT_THAT(said_, AllOf(HasSubstr("reloaded"), HasSubstr("the old one is kept")));
}

TEST_F(ScoringServerTest, AnswersManyClientsAtOnce) {
  start();
  std::vector<std::future<int>> clients;
  for (int c = 0; c < 8; ++c)
    clients.push_back(std::async(std::launch::async, [this] {
      httplib::Client client(options_.host, server_->port());
      client.set_keep_alive(true);
      client.set_tcp_nodelay(true);
      int right = 0;
      for (int i = 0; i < 25; ++i) {
        const auto result = client.Post("/v1/score", kTwoDocuments, kJson);
        right += result && result->body == "{\"model\":\"plain\",\"scores\":[1.0,2.0]}\n";
      }
      return right;
    }));
  for (auto& client : clients) EXPECT_EQ(client.get(), 25);
}

TEST_F(ScoringServerTest, ServesThePage) {
  start();
  const auto page = client_->Get("/");
  EXPECT_THAT(page->body, HasSubstr("<title>Podium: try a model</title>"));
  EXPECT_THAT(page->get_header_value("Content-Security-Policy"), HasSubstr("script-src 'self'"));
  EXPECT_THAT(client_->Get("/try.js")->get_header_value("Content-Type"),
              StartsWith("text/javascript"));
  EXPECT_EQ(client_->Get("/try.css")->status, 200);
  EXPECT_EQ(client_->Get("/tryxjs")->status, 404);
}

TEST(Token, IsComparedWhole) {
  EXPECT_TRUE(carries_token("Bearer abc", "abc"));
  EXPECT_TRUE(carries_token("bearer abc", "abc"));
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer ab", "Bearer abcd", "Bearer abcabc",
                            "Bearer abd", "Basic abc", "abc"})
    EXPECT_FALSE(carries_token(wrong, "abc")) << wrong;
  EXPECT_FALSE(carries_token("Bearer ", ""));
  EXPECT_TRUE(is_token("a-B_9.~+/="));
  for (const char* wrong : {"", "a b", "a\n", "é"}) EXPECT_FALSE(is_token(wrong)) << wrong;
}

}  // namespace
}  // namespace podium::scoring_server_test
