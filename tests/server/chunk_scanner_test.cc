#include "server/chunk_scanner.h"

#include <string>

#include <gtest/gtest.h>

namespace podium {
namespace {

using State = ChunkScanner::State;

// Whole, and byte by byte: how bytes arrive must not matter.
State scan(const std::string& bytes, std::uint64_t max_bytes = 1000) {
  ChunkScanner whole(max_bytes), pieces(max_bytes);
  State state = State::open;
  for (const char c : bytes) state = pieces.feed({&c, 1});
  EXPECT_EQ(whole.feed(bytes), state) << bytes;
  return state;
}

TEST(ChunkScanner, FollowsChunks) {
  EXPECT_EQ(scan("0\r\n\r\n"), State::complete);
  EXPECT_EQ(scan("5\r\nab\r\n\n\r\n0\r\n\r\nGET"), State::complete);
  EXPECT_EQ(scan("0000A;name=\"v\"\r\n0123456789\r\n000\r\n\r\n"), State::complete);
  EXPECT_EQ(scan("1f;x\r\n" + std::string(31, '\r') + "\r\n0;last\r\n\r\n"), State::complete);
  for (const char* part : {"", "a", "a\r", "a\r\n", "a\r\n012", "1\r\nx\r\n0\r\n", "0\r\n\r"})
    EXPECT_EQ(scan(part), State::open) << part;
}

TEST(ChunkScanner, SizesAreHexadecimalDigits) {
  for (const char* wrong : {"zz\r\n", "-5\r\n", "+5\r\n", "0x5\r\n", " 5\r\n", "5 \r\n", ";x\r\n",
                            "\r\n", "5\n", "5\r5", "5;x\ny\r\n"})
    EXPECT_EQ(scan(wrong), State::malformed) << wrong;
  EXPECT_EQ(scan("1;" + std::string(2000, 'x')), State::malformed);
}

TEST(ChunkScanner, DataIsAsLongAsItsSize) {
  EXPECT_EQ(scan("3\r\nabcd\r\n"), State::malformed);
  EXPECT_EQ(scan("3\r\nab\r\n0\r\n"), State::malformed);
  EXPECT_EQ(scan("3\r\nabc\n0"), State::malformed);
}

TEST(ChunkScanner, TrailersAreNotTaken) {
  EXPECT_EQ(scan("0\r\nExpires: never\r\n\r\n"), State::malformed);
}

TEST(ChunkScanner, ASizeAloneCanBeTooLarge) {
  EXPECT_EQ(scan("3e8\r\n"), State::open);
  EXPECT_EQ(scan("3e9"), State::too_large);
  EXPECT_EQ(scan("3e8\r\n" + std::string(1000, 'x') + "\r\n1"), State::too_large);
  EXPECT_EQ(scan("ffffffffffffffff", UINT64_MAX), State::open);
  EXPECT_EQ(scan("10000000000000000", UINT64_MAX), State::too_large);
  EXPECT_EQ(scan("fffffffffffffffffffffffffffffffb"), State::too_large);
}

}  // namespace
}  // namespace podium
