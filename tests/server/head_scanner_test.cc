#include "server/head_scanner.h"

#include <string>

#include <gtest/gtest.h>

namespace podium::head_scanner_test {
namespace {

using State = HeadScanner::State;

// At once, and byte by byte: how bytes arrive must not matter.
State scan(const std::string& bytes) {
  HeadScanner whole, pieces;
  State state = State::open;
  for (const char c : bytes) state = pieces.feed({&c, 1});
  EXPECT_EQ(whole.feed(bytes), state) << bytes;
  return state;
}

TEST(HeadScanner, EndsWithTheEmptyLine) {
  EXPECT_EQ(scan("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), State::complete);
  EXPECT_EQ(scan("GET / HTTP/1.1\r\n\r\nbody\n\n"), State::complete);
  for (const char* part : {"", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\n\r"})
    EXPECT_EQ(scan(part), State::open) << part;
}

TEST(HeadScanner, LinesEndWithCrLf) {
  EXPECT_EQ(scan("GET / HTTP/1.1\nHost: a\n\n"), State::malformed);
  EXPECT_EQ(scan("GET / HTTP/1.1\r\nHost: a\n"), State::malformed);
  EXPECT_EQ(scan("GET / HTTP/1.1\r\rHost"), State::malformed);
  EXPECT_EQ(scan(std::string("GET /\0 HTTP/1.1\r\n", 17)), State::malformed);
  EXPECT_EQ(scan("\r\n"), State::malformed);
}

TEST(HeadScanner, Limits) {
  const std::string first = "GET / HTTP/1.1\r\n";
  const auto line = [](std::size_t bytes) { return "X: " + std::string(bytes - 5, 'x') + "\r\n"; };
  EXPECT_EQ(scan("GET /" + std::string(HeadScanner::kMaxLine - 7, 'a') + "\r\n"), State::open);
  EXPECT_EQ(scan("GET /" + std::string(HeadScanner::kMaxLine - 4, 'a')), State::long_line);
  EXPECT_EQ(scan(first + line(HeadScanner::kMaxLine)), State::open);
  EXPECT_EQ(scan(first + line(HeadScanner::kMaxLine + 1)), State::too_large);
  std::string many = first;
  while (many.size() + 1002 <= HeadScanner::kMaxHead) many += line(1000);
  EXPECT_EQ(scan(many + "\r\n"), State::complete);
  EXPECT_EQ(scan(many + line(1000) + "\r\n"), State::too_large);
}

}  // namespace
}  // namespace podium::head_scanner_test
