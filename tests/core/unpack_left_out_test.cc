// Builds without liblzma and libbz2: both sources compile, and say in one line what to do. They are
// included without their definitions and under other names.
#include <gtest/gtest.h>

#include "core/unpack_optional.h"
#include "podium/error.h"

#undef PODIUM_HAS_LZMA
#undef PODIUM_HAS_BZIP2
#define open_xz open_xz_left_out
#define open_bzip2 open_bzip2_left_out
#include "core/unpack_bzip2.cc"
#include "core/unpack_xz.cc"
#undef open_xz
#undef open_bzip2

namespace podium::unpack_left_out_test {
namespace {

template <class Open>
std::string refusal(Open open, const std::string& path) {
  try {
    open(nullptr, path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file);
    return error.what();
  }
  return "opened";
}

TEST(UnpackLeftOut, NamesTheFileAndTheCommand) {
  EXPECT_EQ(refusal(open_xz_left_out, "d.txt.xz"),
            "d.txt.xz: this build cannot read xz files: decompress it with `unxz -k` first");
  EXPECT_EQ(refusal(open_bzip2_left_out, "d.txt.bz2"),
            "d.txt.bz2: this build cannot read bzip2 files: decompress it with `bunzip2 -k` first");
}

}  // namespace
}  // namespace podium::unpack_left_out_test
