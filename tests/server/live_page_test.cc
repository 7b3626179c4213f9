#include "server/live_page.h"

#include <chrono>
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include "core/output_file.h"
#include "experiments/report/report_page.h"
#include "podium/error.h"
#include "support/temporary_folder.h"

namespace podium::live_page_test {
namespace {

using ::testing::HasSubstr;

constexpr char kHost[] = "127.0.0.1";

class LivePageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    page_.emplace(folder_.file("."), kHost, 0, "<p>the page</p>");
    client_.emplace(kHost, page_->port());
  }
  httplib::Result get(const std::string& path, const httplib::Headers& headers = {}) {
    return client_->Get(path, headers);
  }

  testing::TemporaryFolder folder_;
  std::optional<LivePage> page_;
  std::optional<httplib::Client> client_;
};

TEST_F(LivePageTest, ServesThePage) {
  const auto answer = get("/");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "<p>the page</p>");
  EXPECT_EQ(page_->url(), "http://127.0.0.1:" + std::to_string(page_->port()) + "/");
}

TEST_F(LivePageTest, ServesTheCurrentFiles) {
  EXPECT_EQ(get("/results.json")->status, 404);
  EXPECT_EQ(get("/report.html")->status, 404);
  write_file(folder_.file("results.json"), R"({"complete":false})");
  EXPECT_EQ(get("/results.json")->body, R"({"complete":false})");
  if (!report_page().empty()) {
    EXPECT_THAT(get("/report.html")->body, HasSubstr(R"({"complete":false})"));
  }
  write_file(folder_.file("results.json"), R"({"complete":true })");
  EXPECT_EQ(get("/results.json")->body, R"({"complete":true })");
  EXPECT_EQ(get("/resources.json")->status, 404);
}

TEST_F(LivePageTest, AnswersNotModifiedUntilTheFileIsReplaced) {
  write_file(folder_.file("results.json"), "1");
  const std::string tag = get("/results.json")->get_header_value("ETag");
  EXPECT_EQ(get("/results.json", {{"If-None-Match", tag}})->status, 304);
  write_file(folder_.file("results.json"), "12");
  EXPECT_EQ(get("/results.json", {{"If-None-Match", tag}})->status, 200);
}

TEST_F(LivePageTest, ServesNothingElse) {
  write_file(folder_.file("secret.txt"), "secret");
  for (const char* path : {"/secret.txt", "/../results.json", "/cells/a.json", "/results.json/"})
    EXPECT_EQ(get(path)->status, 404) << path;
}

TEST_F(LivePageTest, AnswersOnlyRequestsToThisMachine) {
  EXPECT_EQ(get("/", {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(get("/results.json", {{"Host", "127.0.0.1.evil.example:80"}})->status, 403);
  EXPECT_EQ(get("/", {{"Host", "localhost:" + std::to_string(page_->port())}})->status, 200);
}

TEST_F(LivePageTest, APortThatIsTakenIsAnError) {
  try {
    const LivePage second(folder_.file("."), kHost, page_->port(), "");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the port is taken; ‹port 0› finds a free one"));
    EXPECT_EQ(error.code(), ErrorCode::file);
  }
}

TEST_F(LivePageTest, UnavailableAddressesAreErrors) {
  const auto problem = [this](const std::string& host) -> std::pair<std::string, ErrorCode> {
    try {
      const LivePage page(folder_.file("."), host, 0, "");
    } catch (const Error& error) {
      return {error.what(), error.code()};
    }
    return {"none", ErrorCode::training};
  };
  EXPECT_THAT(problem("999.1.1.1").first, HasSubstr("‹host 999.1.1.1›: no such address"));
  EXPECT_EQ(problem("999.1.1.1").second, ErrorCode::usage);
  // TEST-NET-1 (RFC 5737) belongs to nobody.
  EXPECT_THAT(problem("192.0.2.1").first, HasSubstr("this machine does not have the address"));
  EXPECT_EQ(problem("192.0.2.1").second, ErrorCode::file);
}

TEST_F(LivePageTest, EndsWithAConnectionOpen) {
  client_->set_keep_alive(true);
  ASSERT_EQ(get("/")->status, 200);
  const auto start = std::chrono::steady_clock::now();
  page_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_FALSE(get("/"));
}

TEST_F(LivePageTest, StartsAndEndsManyTimes) {
  for (int i = 0; i < 50; ++i) LivePage(folder_.file("."), kHost, 0, "");
}

TEST(LivePage, ShowsTheReportByDefault) {
  const testing::TemporaryFolder folder;
  if (report_page().empty()) {
    EXPECT_THROW(LivePage(folder.file("."), kHost, 0), Error);
    return;
  }
  const LivePage page(folder.file("."), kHost, 0);
  EXPECT_THAT(httplib::Client(kHost, page.port()).Get("/")->body,
              HasSubstr("id=\"results\">null</script>"));
}

}  // namespace
}  // namespace podium::live_page_test
