#include "experiments/report/report.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/output_file.h"
#include "core/unpack.h"
#include "experiments/report/report_page.h"
#include "podium/error.h"
#include "support/temporary_folder.h"

namespace podium::report_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kPage[] =
    "<html><script type=\"application/json\" id=\"results\">@podium-results@</script>"
    "<script type=\"application/json\" id=\"resources\">@podium-resources@</script></html>";

// What a browser finds in the element: everything up to the first end tag.
std::string element(const std::string& page, const std::string& id) {
  const std::string start = "id=\"" + id + "\">";
  const std::size_t from = page.find(start) + start.size();
  return page.substr(from, page.find("</script", from) - from);
}

TEST(Report, FillsBothPlaceholders) {
  const std::string page = fill_report(kPage, R"({"a":1})", "[2]");
  EXPECT_EQ(element(page, "results"), R"({"a":1})");
  EXPECT_EQ(element(page, "resources"), "[2]");
}

TEST(Report, NamesCannotBreakOut) {
  const std::string name =
      "</script><script>alert(1)</script><!-- \xe2\x80\xa8 &lt; @podium-resources@";
  const nlohmann::json results = {{"name", name}};
  const std::string page = fill_report(kPage, results.dump(), "null");
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_EQ(nlohmann::json::parse(element(page, "results")), results);
  EXPECT_EQ(element(page, "resources"), "null");
}

RC_GTEST_PROP(Report, EveryStringComesBack, (const std::string& bytes)) {
  const nlohmann::json results = {
      {"name", nlohmann::json::parse(nlohmann::json(bytes).dump(
                   -1, ' ', false, nlohmann::json::error_handler_t::replace))},
      {"nested", {"<", "</", "</script", "<!--", "]]>"}}};
  const std::string page = fill_report(kPage, results.dump(), "null");
  RC_ASSERT(nlohmann::json::parse(element(page, "results")) == results);
}

TEST(Report, APageWithoutMarksIsRefused) {
  EXPECT_THROW(fill_report("<html></html>", "{}", "null"), Error);
}

class ReportPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (report_page().empty()) GTEST_SKIP() << "this build has no report (PODIUM_WEB is off)";
  }
  testing::TemporaryFolder folder_;
};

TEST_F(ReportPage, WritesOneFile) {
  write_file(folder_.file("results.json"), R"({"format":"podium-results"})");
  write_report(folder_.file("."), folder_.file("report.html"));
  const std::string page = read_file(folder_.file("report.html"));
  EXPECT_EQ(element(page, "results"), R"({"format":"podium-results"})");
  EXPECT_EQ(element(page, "resources"), "null");
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(page, Not(HasSubstr("@podium-")));
}

TEST_F(ReportPage, IncludesResourcesIfThereAreAny) {
  write_file(folder_.file("results.json"), "{}");
  write_file(folder_.file("resources.json"), R"({"threads":2})");
  EXPECT_EQ(element(render_report(folder_.file(".")), "resources"), R"({"threads":2})");
}

TEST_F(ReportPage, BadResultsAreErrorsThatLeaveNoFile) {
  EXPECT_THROW(write_report(folder_.file("."), folder_.file("report.html")), Error);
  write_file(folder_.file("results.json"), "{\"a\": ");
  try {
    write_report(folder_.file("."), folder_.file("report.html"));
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_THAT(error.what(), HasSubstr("results.json"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.file("report.html")));
}

TEST_F(ReportPage, TheLivePageHasNoResults) {
  EXPECT_EQ(element(render_live_report(), "results"), "null");
}

TEST(ReportWithoutPage, IsAnError) {
  if (!report_page().empty()) GTEST_SKIP() << "this build has the report";
  try {
    render_report("{}", "");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("this build has no report"));
  }
}

}  // namespace
}  // namespace podium::report_test
