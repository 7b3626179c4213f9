#include "server/scoring_server.h"

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/output_file.h"
#include "podium/error.h"
#include "server/model_files.h"
#include "server/raw_client.h"
#include "server/token.h"
#include "support/temporary_folder.h"

namespace podium {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kJson[] = "application/json";
constexpr char kLetor[] = "text/plain";
constexpr char kTwoDocuments[] =
    R"({"documents": [{"id": "low", "features": {"a": 1}}, {"id": "high", "features": {"b": 1}}]})";

class ScoringServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    save_model(testing::linear_model(), folder_.file("plain.json"));
    save_model(testing::scaled_model(), folder_.file("scaled.json"));
    save_model(testing::stump(), folder_.file("stump.json"));
    options_.port = 0;
    options_.threads = 2;
  }
  void TearDown() override { server_.reset(); }

  void start() {
    std::vector<NamedModelFile> models;
    for (const std::string name : {"plain", "scaled", "stump"})
      models.push_back({name, folder_.file(name + ".json")});
    server_.emplace(options_, models, [this](const std::string& line) {
      const std::scoped_lock lock(mutex_);
      said_ += line + "\n";
    });
    client_.emplace(options_.host, server_->port());
  }
  httplib::Result post(const std::string& path, const std::string& body, const char* type = kJson) {
    return client_->Post(path, body, type);
  }
  Json answer(const std::string& path, const std::string& body, const char* type = kJson) {
    const auto result = post(path, body, type);
    EXPECT_TRUE(result);
    EXPECT_EQ(result->status, 200) << result->body;
    return Json::parse(result->body);
  }
  // "STATUS reason"
  std::string refusal(const httplib::Result& result) {
    if (!result) return "no answer";
    return std::to_string(result->status) + " " +
           Json::parse(result->body).value("error", "without a reason");
  }
  // The head of a POST to /v1/score.
  static std::string head(const std::string& more) {
    return "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
           more + "\r\n";
  }

  testing::TemporaryFolder folder_;
  ScoringOptions options_;
  std::mutex mutex_;  // of said_
  std::string said_;
  std::optional<ScoringServer> server_;
  std::optional<httplib::Client> client_;
};

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
            Json::parse(R"([{"rank": 1, "index": 0, "score": 3.0}])"));  // ties: as sent
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

TEST_F(ScoringServerTest, SaysWhatIsWrong) {
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

TEST_F(ScoringServerTest, LimitsOnSize) {
  options_.http.body_bytes = 1000;
  options_.request.documents = 3;
  options_.explained_documents = 1;
  start();
  EXPECT_THAT(refusal(post("/v1/score", std::string(1001, ' '))), StartsWith("413 "));
  EXPECT_THAT(refusal(post("/v1/score", R"({"documents": [[1,2],[1,2],[1,2],[1,2]]})")),
              StartsWith("400 "));
  EXPECT_THAT(refusal(post("/v1/explain", R"({"documents": [[1,2],[1,2]]})")),
              HasSubstr("more than 1 documents"));
  testing::RawClient chunks(server_->port());
  ASSERT_TRUE(chunks.send(head("Transfer-Encoding: chunked\r\n") + "3e9\r\n" +
                          std::string(1001, ' ') + "\r\n0\r\n\r\n"));
  EXPECT_THAT(chunks.receive(), StartsWith("HTTP/1.1 413 "));
  testing::RawClient size_alone(server_->port());
  ASSERT_TRUE(size_alone.send(head("Transfer-Encoding: chunked\r\n") + "3e9\r\n"));
  EXPECT_THAT(size_alone.receive(), StartsWith("HTTP/1.1 413 "));
  testing::RawClient head_only(server_->port());
  std::string long_head = "GET / HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 40; ++i)
    long_head += "X-" + std::to_string(i) + ": " + std::string(1000, 'x') + "\r\n";
  head_only.send(long_head);
  EXPECT_THAT(head_only.receive(), StartsWith("HTTP/1.1 431 "));
  testing::RawClient long_line(server_->port());
  long_line.send("GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(long_line.receive(), StartsWith("HTTP/1.1 414 "));
  EXPECT_EQ(answer("/v1/score", kTwoDocuments)["scores"].size(), 2U);
}

TEST_F(ScoringServerTest, ReadsChunksAndSeveralRequestsOfOneConnection) {
  start();
  testing::RawClient client(server_->port());
  const std::string whole = head("Content-Length: 24\r\n") + R"({"documents": [[1, 2]]} )";
  ASSERT_TRUE(client.send(head("Transfer-Encoding: chunked\r\n") +
                          "5\r\n{\"doc\r\n12\r\numents\": [[1, 2]]}\r\n0\r\n\r\n" + whole));
  const std::string first = client.receive("[5.0]}");
  EXPECT_THAT(first, HasSubstr("HTTP/1.1 200 OK"));
  if (first.find("[5.0]}") == first.rfind("[5.0]}")) {
    EXPECT_THAT(client.receive("[5.0]}"), HasSubstr("200 OK"));
  }
}

TEST_F(ScoringServerTest, SurvivesWhatIsNoHttp) {
  start();
  for (const std::string& bytes :
       {std::string("\0\1\2\3\r\n\r\n", 8), std::string("GET\r\n\r\n"),
        std::string("POST /v1/score HTTP/9.9\r\n\r\n"), head("Content-Length: -5\r\n"),
        head("Content-Length: 99999999999999999999999\r\n"), head(""),
        head("Transfer-Encoding: chunked\r\n") + "zz\r\n",
        head("Content-Length: 10\r\nRange: bytes=0-,5-,,\r\n"),
        std::string("GET /") + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n"}) {
    testing::RawClient client(server_->port());
    client.send(bytes);
    EXPECT_EQ(client_->Get("/healthz")->status, 200);
  }
}

TEST_F(ScoringServerTest, TwoLengthsAreRefused) {
  start();
  for (const std::string fields : {"Content-Length: 24\r\nContent-Length: 3\r\n",
                                   "Content-Length: 24\r\nTransfer-Encoding: chunked\r\n"}) {
    testing::RawClient client(server_->port());
    ASSERT_TRUE(client.send(head(fields) + R"({"documents": [[1, 2]]} )"));
    EXPECT_THAT(client.receive(), ::testing::StartsWith("HTTP/1.1 400"));
  }
}

TEST_F(ScoringServerTest, ASlowClientIsSentAway) {
  options_.http.connection.request = std::chrono::milliseconds(300);
  start();
  testing::RawClient silent_in_body(server_->port()), silent_in_head(server_->port());
  ASSERT_TRUE(silent_in_body.send(head("Content-Length: 10\r\n") + "{"));
  ASSERT_TRUE(silent_in_head.send("POST /v1/score HTTP/1.1\r\nHost: loc"));
  EXPECT_THAT(silent_in_body.receive(),
              AllOf(StartsWith("HTTP/1.1 408 "), HasSubstr("within 0.3 seconds")));
  EXPECT_THAT(silent_in_head.receive(),
              AllOf(StartsWith("HTTP/1.1 408 "), HasSubstr("within 0.3 seconds")));
  EXPECT_TRUE(silent_in_head.was_closed());
  // A byte now and then does not help.
  testing::RawClient dripping(server_->port());
  ASSERT_TRUE(dripping.send(head("Content-Length: 100000\r\n")));
  const auto start = std::chrono::steady_clock::now();
  auto end = std::async([&] { return dripping.receive(); });
  while (end.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
    dripping.send(" ");
  EXPECT_THAT(end.get(), StartsWith("HTTP/1.1 408 "));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  EXPECT_EQ(client_->Get("/healthz")->status, 200);
}

TEST_F(ScoringServerTest, SaysWhatIsWrongWithAMessage) {
  start();
  const std::string chunked = head("Transfer-Encoding: chunked\r\n");
  for (const auto& [bytes, status] : std::vector<std::pair<std::string, std::string>>{
           {chunked + "zz\r\n", "400"},
           {chunked + "-5\r\n", "400"},
           {chunked + "3\r\nabcd\r\n", "400"},
           {chunked + "ffffffffffffffffff\r\n", "413"},
           {head("Transfer-Encoding: gzip\r\n"), "501"},
           {head("Transfer-Encoding: gzip, chunked\r\n"), "501"},
           {"GET / HTTP/1.1\nHost: localhost\n\n", "400"},
           {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", "400"}}) {
    testing::RawClient client(server_->port());
    ASSERT_TRUE(client.send(bytes));
    const std::string answer = client.receive();
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 " + status + " "), HasSubstr("{\"error\":")))
        << bytes;
    const std::string close = "Connection: close\r\n";
    EXPECT_NE(answer.find(close), answer.npos) << answer;
    EXPECT_EQ(answer.find(close), answer.rfind(close)) << answer;
  }
  EXPECT_THAT(client_->Get("/metrics")->body, HasSubstr("podium_heads_refused_total 1\n"));
}

TEST_F(ScoringServerTest, CloseIsSaidOnce) {
  start();
  testing::RawClient client(server_->port());
  ASSERT_TRUE(client.send("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  const std::string answer = client.receive();
  EXPECT_NE(answer.find("Connection: close"), answer.npos);
  EXPECT_EQ(answer.find("Connection: close"), answer.rfind("Connection: close"));
}

TEST_F(ScoringServerTest, AnIdleConnectionEnds) {
  options_.http.connection.idle = std::chrono::milliseconds(100);
  start();
  testing::RawClient client(server_->port());
  ASSERT_TRUE(client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_THAT(client.receive("ok"), HasSubstr("200 OK"));
  client.receive();
  EXPECT_TRUE(client.was_closed());
}

TEST_F(ScoringServerTest, ASilentConnectionIsGivenTheTimeOfARequest) {
  options_.http.connection.request = std::chrono::milliseconds(100);
  options_.http.connection.idle = std::chrono::hours(1);
  start();
  testing::RawClient client(server_->port());
  client.receive();
  EXPECT_TRUE(client.was_closed());
}

TEST_F(ScoringServerTest, IdleConnectionsMakeRoomLongestFirst) {
  options_.http.connections = 2;
  options_.http.connection.request = options_.http.connection.idle = std::chrono::hours(1);
  start();
  const std::string ask = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  testing::RawClient silent(server_->port());
  std::optional<testing::RawClient> used(std::in_place, server_->port());
  ASSERT_TRUE(used->send(ask));
  EXPECT_THAT(used->receive("ok"), HasSubstr("200 OK"));
  testing::RawClient third(server_->port());  // instead of the silent one
  ASSERT_TRUE(third.send(ask));
  EXPECT_THAT(third.receive("ok"), HasSubstr("200 OK"));
  silent.receive();
  EXPECT_TRUE(silent.was_closed());
  ASSERT_TRUE(used->send(ask));
  EXPECT_THAT(used->receive("ok"), HasSubstr("200 OK"));
  std::vector<std::unique_ptr<testing::RawClient>> crowd;
  for (int i = 0; i < 20; ++i) {
    crowd.push_back(std::make_unique<testing::RawClient>(server_->port()));
    ASSERT_TRUE(crowd.back()->send(ask));
    ASSERT_THAT(crowd.back()->receive("ok"), HasSubstr("200 OK")) << i;
  }
}

TEST_F(ScoringServerTest, OneConnectionTooManyIsRefused) {
  options_.http.connections = 1;
  start();
  testing::RawClient first(server_->port());
  ASSERT_TRUE(first.send(head("Content-Length: 23\r\nExpect: 100-continue\r\n")));
  EXPECT_THAT(first.receive("100 Continue\r\n\r\n"), StartsWith("HTTP/1.1 100 "));  // it runs
  testing::RawClient second(server_->port());
  EXPECT_THAT(second.receive(),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("too many connections")));
  ASSERT_TRUE(first.send(R"({"documents": [[1, 2]]})"));
  EXPECT_THAT(first.receive("[5.0]}"), StartsWith("HTTP/1.1 200 "));
  ASSERT_TRUE(first.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_THAT(first.receive("podium_model_failures_total{model=\"stump\"} 0"),
              AllOf(HasSubstr("podium_connections 1\n"),
                    HasSubstr("podium_connections_refused_total 1\n")));
}

TEST_F(ScoringServerTest, AsksForTheToken) {
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

TEST_F(ScoringServerTest, CountsWhatItDoes) {
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

TEST_F(ScoringServerTest, TakesANewFileAndKeepsTheOldModelWhenItIsBroken) {
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
  EXPECT_THAT(said_, AllOf(HasSubstr("loaded again"), HasSubstr("the old one stays")));
}

TEST_F(ScoringServerTest, FinishesARunningRequestBeforeItStops) {
  start();
  const int port = server_->port();
  testing::RawClient client(port), idle(port);
  ASSERT_TRUE(client.send(head("Content-Length: 23\r\nExpect: 100-continue\r\n")));
  EXPECT_THAT(client.receive("100 Continue\r\n\r\n"), StartsWith("HTTP/1.1 100 "));  // it runs
  auto stopped = std::async([&] { server_.reset(); });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (testing::RawClient(port).connected() && std::chrono::steady_clock::now() < deadline) {
  }
  ASSERT_TRUE(client.send(R"({"documents": [[1, 2]]})"));
  EXPECT_THAT(client.receive(), AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("[5.0]")));
  idle.receive();
  EXPECT_TRUE(idle.was_closed());
  stopped.get();
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
}  // namespace podium
