#include "core/file_name.h"

#include <gtest/gtest.h>

namespace podium::file_name_test {
namespace {

TEST(FileName, StemHasNoFolderCompressionOrSuffix) {
  EXPECT_EQ(stem("runs/bm25.run"), "bm25");
  EXPECT_EQ(stem("/a.b/bm25.v2.run.gz"), "bm25.v2");
  EXPECT_EQ(stem("bm25.zst"), "bm25");
  EXPECT_EQ(stem("bm25"), "bm25");
  EXPECT_EQ(stem("folder/.hidden"), ".hidden");
}

TEST(FileName, UnpackedNameKeepsTheSuffix) {
  EXPECT_EQ(unpacked_name("runs/input.okapi.gz"), "input.okapi");
  EXPECT_EQ(unpacked_name("input.okapi"), "input.okapi");
}

}  // namespace
}  // namespace podium::file_name_test
