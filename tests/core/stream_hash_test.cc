#include "core/stream_hash.h"

#include <string>

#include <gtest/gtest.h>

namespace podium::stream_hash_test {
namespace {

TEST(StreamHash, PartsHashAsTheWhole) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 7);
  const std::uint64_t whole = XXH3_64bits(text.data(), text.size());
  StreamHash hash;
  for (const std::size_t part : {1U, 100U, 4096U, 9999U}) {
    hash.reset();
    for (std::size_t at = 0; at < text.size(); at += part)
      hash.add(std::string_view(text).substr(at, part));
    EXPECT_EQ(hash.value(), whole) << part;
  }
  hash.add(std::string_view());
  EXPECT_EQ(hash.value(), whole);
  hash.add(std::string_view("x"));
  EXPECT_NE(hash.value(), whole);
}

}  // namespace
}  // namespace podium::stream_hash_test
