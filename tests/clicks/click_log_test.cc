#include "podium/click_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clicks/log_reader.h"
#include "clicks/log_time.h"
#include "podium/error.h"
#include "support/temporary_folder.h"
#include "support/toy_data.h"

namespace podium::click_log_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHeader = "session\tqid\tdocid\tposition\tclick\n";

ClickLog read(const std::string& text, const ClickLogOptions& options = {},
              const Dataset* data = nullptr, std::size_t block_bytes = 1 << 20) {
  testing::Bench bench;
  TextLimits limits;
  limits.block_bytes = block_bytes;
  return read_click_log(*text_in_memory(text, limits), "log.tsv", options, data,
                        KeptSessions::distinct, bench.context);
}

std::string complaint(const std::string& text, const Dataset* data = nullptr) {
  try {
    read(text, {}, data);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ClickLog, CountsByQueryDocumentAndPosition) {
  const ClickLog log = read(std::string(kHeader) +
                            "1\tq\ta\t1\t1\n1\tq\tb\t2\t0\n"
                            "2\tq\tb\t1\t0\n2\tq\ta\t2\t1\n"
                            "3\tr\ta\t1\t0\n4\tq\ta\t1\t0\n");
  EXPECT_EQ(log.queries(), 2u);
  EXPECT_EQ(log.documents(), 3u);
  EXPECT_EQ(log.session_count, 4u);
  EXPECT_EQ(log.lines, 6u);
  EXPECT_EQ(log.positions, 2u);
  const auto cells = log.cells_of(0);
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[0].shown, 2);
  EXPECT_EQ(cells[0].clicked, 1);
  EXPECT_EQ(cells[1].clicked, 1);
  EXPECT_EQ(log.query_sessions, (std::vector<double>{3, 1}));
}

TEST(ClickLog, SessionsThatAreEqualAreCounted) {
  std::string text = kHeader;
  for (int s = 0; s < 5; ++s)
    text += std::to_string(s) + "\tq\ta\t1\t1\n" + std::to_string(s) + "\tq\tb\t2\t0\n";
  text += "9\tq\ta\t1\t0\n9\tq\tb\t2\t0\n";
  const ClickLog log = read(text);
  ASSERT_EQ(log.sessions.size(), 2u);
  EXPECT_EQ(log.sessions[0].count + log.sessions[1].count, 6);
}

TEST(ClickLog, BlocksChangeNothing) {
  std::string text = kHeader;
  for (int s = 0; s < 40; ++s)
    for (int p = 1; p <= 3; ++p)
      text += "s" + std::to_string(s) + "\tq" + std::to_string(s % 5) + "\td" +
              std::to_string((s + p) % 4) + "\t" + std::to_string(p) + "\t" +
              std::to_string((s * p) % 2) + "\n";
  const ClickLog whole = read(text);
  for (const std::size_t bytes : {1, 20, 64, 333}) {
    const ClickLog cut = read(text, {}, nullptr, bytes);
    EXPECT_EQ(cut.session_count, whole.session_count);
    EXPECT_EQ(cut.docids, whole.docids);
    ASSERT_EQ(cut.cells.size(), whole.cells.size());
    for (std::size_t c = 0; c < cut.cells.size(); ++c)
      EXPECT_EQ(cut.cells[c].clicked, whole.cells[c].clicked);
  }
}

TEST(ClickLog, FurtherColumnsInAnyOrder) {
  const ClickLog log = read(
      "time,click,position,device,docid,qid,session,propensity,weight\r\n"
      "1,1,2,phone,\"a b\",q,s,0.5,2\r\n2,0,1,phone,b,q,s,1,2\r\n");
  EXPECT_TRUE(log.has_propensities);
  EXPECT_EQ(log.docids[0], "a b");
  EXPECT_EQ(log.cells_of(0)[0].clicked, 2);
  EXPECT_EQ(log.cells_of(0)[0].inverse, 4);
}

TEST(ClickLog, RefusesWhatIsWrongWithItsLine) {
  const std::string h = kHeader, first = "s\tq\ta\t1\t0\n";
  EXPECT_THAT(complaint(""), HasSubstr("log.tsv: the click log is empty"));
  EXPECT_THAT(complaint(h), HasSubstr("no lines"));
  EXPECT_THAT(complaint("session\tqid\tdocid\tclick\n"),
              HasSubstr("log.tsv:1: the header has no column 'position'"));
  EXPECT_THAT(complaint("session\tqid\tqid\tdocid\tposition\tclick\n"), HasSubstr("occurs twice"));
  EXPECT_THAT(complaint(h + first + "s\tq\tb\t0\t0\n"),
              HasSubstr("log.tsv:3: the position is 0: positions count from 1"));
  EXPECT_THAT(complaint(h + first + "s\tq\tb\t1\t0\n"),
              HasSubstr("log.tsv:3: position 1 occurs twice in session 's'"));
  EXPECT_THAT(complaint(h + first + "s\tq\ta\t2\t0\n"),
              HasSubstr("log.tsv:3: document 'a' is shown twice in session 's'"));
  EXPECT_THAT(complaint(h + first + "s\tq\tb\t2\t2\n"),
              HasSubstr("log.tsv:3: the click '2' is neither 0 nor 1"));
  EXPECT_THAT(complaint(h + "s\tq\ta\t\t1\n"), HasSubstr("log.tsv:2: no position"));
  EXPECT_THAT(complaint(h + "s\tq\ta\tx\t1\n"), HasSubstr("not a whole number"));
  EXPECT_THAT(complaint(h + "s\tq\ta\t1e9\t1\n"), HasSubstr("not a whole number"));
  EXPECT_THAT(complaint(h + "s\tq\ta\t99999999999999\t1\n"), HasSubstr("beyond 10000"));
  EXPECT_THAT(complaint(h + "s\tq\t1\t1\n"), HasSubstr("4 fields, but the header has 5"));
  EXPECT_THAT(complaint(h + "s\tq\ta\t1\t1\t7\n"), HasSubstr("more fields"));
  EXPECT_THAT(complaint(h + "\tq\ta\t1\t1\n"), HasSubstr("no session"));
  const std::string p = "session\tqid\tdocid\tposition\tclick\tpropensity\n";
  EXPECT_THAT(complaint(p + "s\tq\ta\t1\t1\t0\n"), HasSubstr("the propensity 0 is not above 0"));
  EXPECT_THAT(complaint(p + "s\tq\ta\t1\t1\t1.5\n"),
              HasSubstr("the propensity 1.5 is not above 0 and at most 1"));
  const std::string t = "session\tqid\tdocid\tposition\tclick\ttime\n";
  EXPECT_THAT(complaint(t + "s\tq\ta\t1\t1\tsoon\n"),
              HasSubstr("log.tsv:2: the time 'soon' is neither a number nor as in 2026-01-31T"));
}

// A user may click the third place before the first; a line without a click has no time of one.
TEST(ClickLog, TimesOfSessions) {
  const std::string t = "session\tqid\tdocid\tposition\tclick\ttime\n";
  const std::string one = "s\tq\ta\t1\t1\t5\ns\tq\tb\t2\t0\t\ns\tq\tc\t3\t1\t4\n";
  EXPECT_EQ(read(t + one).backwards, 0u);
  EXPECT_EQ(read(t + one + "t\tq\ta\t1\t1\t6\nt\tq\tb\t2\t1\t4.5\n").backwards, 0u);
  EXPECT_EQ(read(t + one + "t\tq\ta\t1\t1\t6\nt\tq\tb\t2\t1\t3\n").backwards, 1u);
  EXPECT_EQ(read(t + one + "t\tq\ta\t1\t0\t\nu\tq\ta\t1\t1\t3\n").backwards, 1u);
  const std::string iso = "s\tq\ta\t1\t1\t2026-01-01T00:00:01Z\nt\tq\ta\t1\t1\t2026-01-01T";
  EXPECT_EQ(read(t + iso + "00:00:02Z\n").backwards, 0u);
  EXPECT_EQ(read(t + iso + "00:59:00+01:00\n").backwards, 1u);
}

TEST(ClickLog, ReadsTimes) {
  const auto time = [](std::string_view text) {
    double value = 0;
    return parse_log_time(text, value) ? value : -1;
  };
  EXPECT_EQ(time("12.5"), 12.5);
  EXPECT_EQ(time("1970-01-02"), 86400);
  EXPECT_EQ(time("2026-01-01T00:00:00Z"), 1767225600);
  EXPECT_EQ(time("2026-01-01 00:00:00.25"), 1767225600.25);
  EXPECT_EQ(time("2026-01-01T01:30+01:30"), 1767225600);
  EXPECT_EQ(time("2025-12-31T19:00:00-0500"), 1767225600);
  EXPECT_EQ(time("2024-02-29T12:00:00Z"), 1709208000);
  for (const char* wrong : {"", "x", "nan", "inf", "2026-02-30", "2026-13-01", "2026-1-1",
                            "2026-01-01T", "2026-01-01T25:00", "2026-01-01T00:00:00Zx",
                            "2026-01-01T00:00:00.", "2026-01-01T00:61", "2026-01-01T00:00+1"})
    EXPECT_EQ(time(wrong), -1) << wrong;
}

TEST(ClickLog, MatchesDocuments) {
  DatasetParts parts;
  parts.query_begin = std::vector<std::uint64_t>{0, 2};
  parts.labels = std::vector<float>{0, 1};
  parts.qids = make_strings(std::vector<std::string>{"q"});
  parts.docids = make_strings(std::vector<std::string>{"a", "b"});
  const Dataset data(parts);
  const std::string text = std::string(kHeader) + "s\tq\tb\t1\t1\ns\tq\tc\t2\t0\n";
  EXPECT_THAT(complaint(text, &data),
              HasSubstr("log.tsv:3: document 'c' of query 'q' is not in the data"));
  const ClickLog log = read(text, {.drop_unmatched = true}, &data);
  EXPECT_EQ(log.unmatched, 1u);
  EXPECT_EQ(log.row, std::vector<std::uint32_t>{1});
}

TEST(ClickLog, NoticesSessionsThatAreNotContiguous) {
  const std::string together =
      std::string(kHeader) + "s\tq\ta\t1\t0\ns\tq\tb\t2\t1\nt\tq\ta\t1\t0\nt\tr\ta\t1\t0\n";
  EXPECT_EQ(read(together).scattered, 0u);
  EXPECT_EQ(read(together + "s\tq\tb\t3\t0\n").scattered, 1u);
  EXPECT_EQ(read(together + "s\tr\tb\t3\t0\nt\tq\tb\t3\t0\n").scattered, 1u);
}

TEST(ClickLog, Robots) {
  std::string text = kHeader;
  for (int p = 1; p <= 6; ++p)
    text += "bot\tq\td" + std::to_string(p) + "\t" + std::to_string(p) + "\t1\n";
  text += "user\tq\td1\t1\t1\n";
  EXPECT_EQ(read(text).all_clicked, 1u);
  const ClickLog log = read(text, {.max_clicks = 3});
  EXPECT_EQ(log.bots, 1u);
  EXPECT_EQ(log.session_count, 1u);
  EXPECT_EQ(log.documents(), 1u);
}

}  // namespace
}  // namespace podium::click_log_test
