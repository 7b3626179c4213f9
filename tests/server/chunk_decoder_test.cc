#include "server/chunk_decoder.h"

#include <string>

#include <gtest/gtest.h>

namespace podium::chunk_decoder_test {
namespace {

using State = ChunkDecoder::State;

struct Decoded {
  State state;
  std::size_t used;
  std::string body;
};

// At once, and byte by byte: how bytes arrive must not matter.
Decoded decode(const std::string& bytes, std::uint64_t max_bytes = 1000) {
  ChunkDecoder whole(max_bytes), pieces(max_bytes);
  Decoded decoded{State::open, 0, ""};
  for (const char c : bytes) decoded.used += pieces.feed({&c, 1}, decoded.body);
  decoded.state = pieces.state();
  std::string body;
  EXPECT_EQ(whole.feed(bytes, body), decoded.used) << bytes;
  EXPECT_EQ(whole.state(), decoded.state) << bytes;
  EXPECT_EQ(body, decoded.body);
  return decoded;
}
State scan(const std::string& bytes, std::uint64_t max_bytes = 1000) {
  return decode(bytes, max_bytes).state;
}

TEST(ChunkDecoder, FollowsChunks) {
  EXPECT_EQ(scan("0\r\n\r\n"), State::complete);
  EXPECT_EQ(scan("5\r\nab\r\n\n\r\n0\r\n\r\nGET"), State::complete);
  EXPECT_EQ(scan("0000A;name=\"v\"\r\n0123456789\r\n000\r\n\r\n"), State::complete);
  EXPECT_EQ(scan("1f;x\r\n" + std::string(31, '\r') + "\r\n0;last\r\n\r\n"), State::complete);
  for (const char* part : {"", "a", "a\r", "a\r\n", "a\r\n012", "1\r\nx\r\n0\r\n", "0\r\n\r"})
    EXPECT_EQ(scan(part), State::open) << part;
}

TEST(ChunkDecoder, SizesAreHexadecimalDigits) {
  for (const char* wrong : {"zz\r\n", "-5\r\n", "+5\r\n", "0x5\r\n", " 5\r\n", "5 \r\n", ";x\r\n",
                            "\r\n", "5\n", "5\r5", "5;x\ny\r\n"})
    EXPECT_EQ(scan(wrong), State::malformed) << wrong;
}

TEST(ChunkDecoder, DecodesTheDataAndLeavesTheRest) {
  const std::string chunks = "3\r\nabc\r\n2;x\r\n\r\n\r\n0\r\n\r\n";
  const Decoded decoded = decode(chunks + "GET / HTTP/1.1\r\n");
  EXPECT_EQ(decoded.state, State::complete);
  EXPECT_EQ(decoded.used, chunks.size());
  EXPECT_EQ(decoded.body, "abc\r\n");
}

TEST(ChunkDecoder, ExtensionsAreIgnored) {
  for (const char* extended : {"1;a", "1;a=b", "1 ;a", "1\t ; a = \"b;c\" ;d", "1;"})
    EXPECT_EQ(decode(extended + std::string("\r\nx\r\n0;e\r\n\r\n")).body, "x") << extended;
  for (const std::string wrong : {"1 \r\n", "1 2\r\n", "1;a\x01\r\n", "1;a\x7f\r\n", "1;a\rb\r\n"})
    EXPECT_EQ(scan(wrong), State::malformed) << wrong;
  EXPECT_EQ(scan("1;" + std::string(ChunkDecoder::kMaxExtensions, 'x')), State::malformed);
  // The limit is for all chunks: extensions cost time and carry no data.
  std::string many;
  for (int i = 0; i < 900; ++i) many += "1;" + std::string(100, 'x') + "\r\ny\r\n";
  EXPECT_EQ(scan(many), State::malformed);
}

TEST(ChunkDecoder, DataIsAsLongAsItsSize) {
  EXPECT_EQ(scan("3\r\nabcd\r\n"), State::malformed);
  EXPECT_EQ(scan("3\r\nab\r\n0\r\n"), State::malformed);
  EXPECT_EQ(scan("3\r\nabc\n0"), State::malformed);
}

TEST(ChunkDecoder, TrailersAreIgnored) {
  for (const char* trailers : {"Expires: never\r\n", "a:\r\nX-Sum:1\t2\r\n",
                               "Content-Length: 5\r\nTransfer-Encoding: x\r\n"}) {
    const std::string body = "1\r\nx\r\n0\r\n" + std::string(trailers) + "\r\n";
    const Decoded decoded = decode(body + "GET");
    EXPECT_EQ(decoded.state, State::complete) << trailers;
    EXPECT_EQ(decoded.used, body.size());
    EXPECT_EQ(decoded.body, "x");
  }
  EXPECT_EQ(scan("0\r\nExpires: never\r\n"), State::open);
}

TEST(ChunkDecoder, ATrailerIsAField) {
  for (const std::string wrong :
       {"GET / HTTP/1.1\r\n", ": x\r\n", "name\r\n", "na me: x\r\n", "name : x\r\n", " folded\r\n",
        "a: b\r\n folded\r\n", "a: b\n\r\n", "a: b\rc\r\n", "a: \x01\r\n", "\n", "\r\r\n"})
    EXPECT_EQ(scan("0\r\n" + wrong + "\r\n"), State::malformed) << wrong;
  EXPECT_EQ(scan(std::string("0\r\na: \0\r\n\r\n", 10)), State::malformed);
  EXPECT_EQ(scan("0\r\na:" + std::string(ChunkDecoder::kMaxTrailers, 'x')), State::malformed);
}

TEST(ChunkDecoder, ASizeAloneCanBeTooLarge) {
  EXPECT_EQ(scan("3e8\r\n"), State::open);
  EXPECT_EQ(scan("3e9"), State::too_large);
  EXPECT_EQ(scan("3e8\r\n" + std::string(1000, 'x') + "\r\n1"), State::too_large);
  EXPECT_EQ(scan("ffffffffffffffff", UINT64_MAX), State::open);
  EXPECT_EQ(scan("10000000000000000", UINT64_MAX), State::too_large);
  EXPECT_EQ(scan("fffffffffffffffffffffffffffffffb"), State::too_large);
}

}  // namespace
}  // namespace podium::chunk_decoder_test
