#include "core/output_file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/unfinished_files.h"
#include "core/unpack.h"
#include "podium/error.h"
#include "support/temporary_folder.h"

namespace podium::output_file_test {
namespace {

using testing::TemporaryFolder;

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  {
    OutputFile file(folder.file("a"));
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
  }
  EXPECT_EQ(folder.entries(), 0U);
  {
    OutputFile file(folder.file("a"));
    file.write("who");
    file.write("le");
    file.commit();
  }
  EXPECT_EQ(testing::bytes_of_file(folder.file("a")), "whole");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(OutputFile, KeepsTheOldFileUntilCommitted) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  { OutputFile(folder.file("a")).write("new"); }
  EXPECT_EQ(testing::bytes_of_file(folder.file("a")), "old");
  write_file(folder.file("a"), "new");
  EXPECT_EQ(testing::bytes_of_file(folder.file("a")), "new");
}

TEST(OutputFile, CanBeRemovedWhileItIsUnfinished) {
  const TemporaryFolder folder;
  write_file(folder.file("done"), "whole");
  OutputFile file(folder.file("a"));
  EXPECT_EQ(folder.entries(), 2U);
  remove_unfinished();
  EXPECT_EQ(folder.entries(), 1U);
  EXPECT_EQ(testing::bytes_of_file(folder.file("done")), "whole");
}

TEST(OutputFile, RegistersUpToItsLimitAndWritesAllFiles) {
  const TemporaryFolder folder;
  {
    std::vector<std::unique_ptr<OutputFile>> files;
    for (int i = 0; i < 40; ++i)
      files.push_back(std::make_unique<OutputFile>(folder.file(std::to_string(i))));
    for (const auto& file : files) file->commit();
  }
  EXPECT_EQ(folder.entries(), 40U);
  remove_unfinished();
  EXPECT_EQ(folder.entries(), 40U);
}

TEST(OutputFile, CompressesBySuffix) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += std::to_string(i % 1000) + "\n";
  for (const char* name : {"a.gz", "a.zst"}) {
    write_file(folder.file(name), text);
    EXPECT_LT(std::filesystem::file_size(folder.file(name)), text.size() / 4);
    EXPECT_EQ(read_file(folder.file(name)), text);
  }
}

TEST(OutputFile, WritesThroughLinksAndIntoSpecialFiles) {
  const TemporaryFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink(folder.file("real"), folder.file("link"));
  write_file(folder.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(testing::bytes_of_file(folder.file("real")), "new");
  write_file("/dev/null", "nothing");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(write_file("/dev/full", "x"), Error);
}

TEST(OutputFile, CanBeTriedWithoutLeavingFiles) {
  const TemporaryFolder folder;
  folder.write("a", "old");
  require_writable(folder.file("a"));
  require_writable(folder.file("b"));
  EXPECT_EQ(folder.entries(), 1U);
  EXPECT_EQ(testing::bytes_of_file(folder.file("a")), "old");
  EXPECT_THROW(require_writable(folder.file("no/such/folder")), Error);
  require_writable("-");
  require_writable("/dev/null");
}

TEST(OutputFile, LeftoversOfDeadProcessesAreRemoved) {
  const TemporaryFolder folder;
  const std::string gone = ".999999999-0.tmp";  // larger than any process id
  for (const char* name : {"a", "a.999999999-x.tmp", "a.999999999.tmp", "a.tmp", "a.-1-0.tmp"})
    folder.write(name, "stays");
  folder.write("ab" + gone, "another file's");
  folder.write("a." + std::to_string(getpid()) + "-0.tmp", "being written");
  folder.write("a" + gone, "half");
  folder.write("a.999999998-17.tmp", "half");
  remove_leftovers(folder.file("a"));
  EXPECT_EQ(folder.entries(), 7U);
  EXPECT_FALSE(std::filesystem::exists(folder.file("a" + gone)));
  remove_leftovers(folder.file("no/such/folder"));
}

TEST(OutputFile, ReportsAMissingFolder) {
  const TemporaryFolder folder;
  EXPECT_THROW(OutputFile(folder.file("no/such/folder")), Error);
}

}  // namespace
}  // namespace podium::output_file_test
