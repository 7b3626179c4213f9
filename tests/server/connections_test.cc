// Clients that misbehave below the level of requests: malformed, slow, silent, too many.
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include <gmock/gmock.h>

#include "server/raw_client.h"
#include "server/server_fixture.h"

namespace podium::connections_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kTwoDocuments;
using ::testing::StartsWith;

class ConnectionsTest : public testing::ServerTest {
 protected:
  // The head of a POST to /v1/score.
  static std::string head(const std::string& more) {
    return "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
           more + "\r\n";
  }
};

TEST_F(ConnectionsTest, LimitsOnSize) {
  options_.http.body_bytes = 1000;
  options_.request.documents = 3;
  options_.explained_documents = 1;
  start();
  EXPECT_THAT(refusal(post("/v1/score", std::string(1001, ' '))), StartsWith("413 "));
  EXPECT_THAT(refusal(post("/v1/score", R"({"documents": [[1,2],[1,2],[1,2],[1,2]]})")),
              StartsWith("400 "));
  EXPECT_THAT(refusal(post("/v1/explain", R"({"documents": [[1,2],[1,2]]})")),
              HasSubstr("more than 1 document:"));
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

TEST_F(ConnectionsTest, ReadsChunksAndSeveralRequestsOfOneConnection) {
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

// Bytes after the body are the next request, but trailers are not.
TEST_F(ConnectionsTest, TrailersAreNotRequests) {
  start();
  const std::string chunks =
      head("Transfer-Encoding: chunked\r\n") + "18;x=\"0\"\r\n{\"documents\": [[1, 2]]} \r\n0\r\n";
  testing::RawClient client(server_->port());
  ASSERT_TRUE(client.send(chunks +
                          "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n"
                          "X-Request: GET /metrics HTTP/1.1\r\n\r\n"
                          "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  const std::string answers = client.receive();
  EXPECT_THAT(answers, AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("[5.0]}"),
                             HasSubstr("{\"status\":\"ok\"}")));
  EXPECT_EQ(answers.find("podium_connections"), answers.npos);
  testing::RawClient smuggler(server_->port());
  ASSERT_TRUE(smuggler.send(chunks + "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  const std::string refused = smuggler.receive();
  EXPECT_THAT(refused, AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("Connection: close")));
  EXPECT_EQ(refused.find("HTTP/1.1", 1), refused.npos);
}

TEST_F(ConnectionsTest, SurvivesOtherProtocols) {
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

TEST_F(ConnectionsTest, TwoLengthsAreRefused) {
  start();
  for (const std::string fields : {"Content-Length: 24\r\nContent-Length: 3\r\n",
                                   "Content-Length: 24\r\nTransfer-Encoding: chunked\r\n"}) {
    testing::RawClient client(server_->port());
    ASSERT_TRUE(client.send(head(fields) + R"({"documents": [[1, 2]]} )"));
    EXPECT_THAT(client.receive(), StartsWith("HTTP/1.1 400"));
  }
}

TEST_F(ConnectionsTest, ASlowClientIsDisconnected) {
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
  // Sending a byte now and then does not help.
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

TEST_F(ConnectionsTest, ReportsWhatIsWrongWithARequest) {
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

TEST_F(ConnectionsTest, CloseIsSentOnce) {
  start();
  testing::RawClient client(server_->port());
  ASSERT_TRUE(client.send("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  const std::string answer = client.receive();
  EXPECT_NE(answer.find("Connection: close"), answer.npos);
  EXPECT_EQ(answer.find("Connection: close"), answer.rfind("Connection: close"));
}

TEST_F(ConnectionsTest, AnIdleConnectionEnds) {
  options_.http.connection.idle = std::chrono::milliseconds(100);
  start();
  testing::RawClient client(server_->port());
  ASSERT_TRUE(client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  EXPECT_THAT(client.receive("ok"), HasSubstr("200 OK"));
  client.receive();
  EXPECT_TRUE(client.was_closed());
}

TEST_F(ConnectionsTest, ASilentConnectionHasTheTimeLimitOfARequest) {
  options_.http.connection.request = std::chrono::milliseconds(100);
  options_.http.connection.idle = std::chrono::hours(1);
  start();
  testing::RawClient client(server_->port());
  client.receive();
  EXPECT_TRUE(client.was_closed());
}

TEST_F(ConnectionsTest, IdleConnectionsMakeRoomLongestFirst) {
  options_.http.connections = 2;
  options_.http.connection.request = options_.http.connection.idle = std::chrono::hours(1);
  start();
  const std::string ask = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  testing::RawClient silent(server_->port());
  std::optional<testing::RawClient> used(std::in_place, server_->port());
  ASSERT_TRUE(used->send(ask));
  EXPECT_THAT(used->receive("ok"), HasSubstr("200 OK"));
  testing::RawClient third(server_->port());  // replaces the silent one
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

TEST_F(ConnectionsTest, OneConnectionTooManyIsRefused) {
  options_.http.connections = 1;
  start();
  testing::RawClient first(server_->port());
  ASSERT_TRUE(first.send(head("Content-Length: 23\r\nExpect: 100-continue\r\n")));
  EXPECT_THAT(first.receive("100 Continue\r\n\r\n"), StartsWith("HTTP/1.1 100 "));  // it is running
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

TEST_F(ConnectionsTest, FinishesARunningRequestBeforeItStops) {
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

}  // namespace
}  // namespace podium::connections_test
