#include "core/file_stamp.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace podium::file_stamp_test {
namespace {

using testing::TemporaryFolder;

TEST(FileStamp, DetectsWrites) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "some text");
  const FileStamp stamp(path);
  EXPECT_FALSE(stamp.is_outdated());
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_TRUE(stamp.is_outdated());

  const FileStamp later(path);
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::nanoseconds(1));
  EXPECT_TRUE(later.is_outdated());
}

TEST(FileStamp, ReplacingTheFileIsNotAChange) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "some text");
  const FileStamp stamp(path);
  std::filesystem::rename(folder.write("b", "other"), path);
  EXPECT_FALSE(stamp.is_outdated());
  std::filesystem::remove(path);
  EXPECT_FALSE(stamp.is_outdated());
  EXPECT_FALSE(FileStamp("-").is_outdated());
  EXPECT_FALSE(FileStamp("/dev/null").is_outdated());
}

}  // namespace
}  // namespace podium::file_stamp_test
