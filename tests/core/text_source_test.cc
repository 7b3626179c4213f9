#include "core/text_source.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/output_file.h"
#include "core/unpack.h"
#include "podium/error.h"
#include "support/resident_file_bytes.h"
#include "support/temporary_folder.h"

namespace podium::text_source_test {
namespace {

using testing::TemporaryFolder;

std::string all_of(TextSource& source) {
  std::string all;
  while (const auto block = source.next()) {
    EXPECT_TRUE(block->text.ends_with('\n'));
    for (std::size_t i = 0; i < TextBlock::kReadableBehind; ++i)  // the contract allows reading it
      EXPECT_NE(block->text.data()[block->text.size() + i], '\xFF');
    all += block->text;
  }
  return all;
}

std::string message_of(const std::string& path, const TextLimits& limits = {}) {
  try {
    all_of(*open_text(path, limits));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string many_lines() {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919) + " words on a line\n";
  return text;
}

TEST(TextSource, GivesTheSameTextFromEveryKindOfFile) {
  const TemporaryFolder folder;
  const std::string text = many_lines();
  for (const char* name : {"a.txt", "a.txt.gz", "a.txt.zst"}) {
    write_file(folder.file(name), text);
    for (const std::size_t block_bytes : {1, 100, 4096, 1 << 20})
      EXPECT_EQ(all_of(*open_text(folder.file(name), {.block_bytes = block_bytes})), text) << name;
    EXPECT_EQ(read_file(folder.file(name)), text);
  }
}

TEST(TextSource, BlocksFreeTheirPages) {
  constexpr std::size_t kLines = 400'000;
  const TemporaryFolder folder;
  std::string text;
  for (std::size_t i = 0; i < kLines; ++i) text += std::to_string(i) + " words on a line of text\n";
  write_file(folder.file("a.txt"), text);
  const std::size_t before = testing::resident_file_bytes();
  std::size_t most = 0, lines = 0;
  const auto source = open_text(folder.file("a.txt"), {.block_bytes = std::size_t{1} << 20});
  while (const auto block = source->next()) {
    lines += static_cast<std::size_t>(std::count(block->text.begin(), block->text.end(), '\n'));
    most = std::max(most, testing::resident_file_bytes());
  }
  EXPECT_EQ(lines, kLines);
  EXPECT_LT(most, before + text.size() / 2);
}

TEST(TextSource, ReadsSeveralMembersAndFrames) {
  const TemporaryFolder folder;
  for (const std::string ending : {".gz", ".zst"}) {
    write_file(folder.file("a" + ending), "one\n");
    write_file(folder.file("b" + ending), "two\n");
    const std::string joined =
        folder.write("ab" + ending, testing::bytes_of_file(folder.file("a" + ending)) +
                                        testing::bytes_of_file(folder.file("b" + ending)));
    EXPECT_EQ(all_of(*open_text(joined, {})), "one\ntwo\n");
  }
}

TEST(TextSource, EndsTheLastLineAndSkipsAByteOrderMark) {
  const TemporaryFolder folder;
  for (const char* name : {"a.txt", "a.txt.gz", "a.txt.zst"}) {
    write_file(folder.file(name), "\xEF\xBB\xBFone\ntwo");
    for (const std::size_t block_bytes : {1, 2, 100})
      EXPECT_EQ(all_of(*open_text(folder.file(name), {.block_bytes = block_bytes})), "one\ntwo\n")
          << name;
  }
}

TEST(TextSource, RefusesTruncatedAndDamagedFiles) {
  const TemporaryFolder folder;
  for (const std::string ending : {".gz", ".zst"}) {
    write_file(folder.file("a" + ending), many_lines());
    const std::string packed = testing::bytes_of_file(folder.file("a" + ending));
    for (const std::size_t cut : {std::size_t{3}, packed.size() / 2, packed.size() - 1}) {
      const std::string path = folder.write("cut" + ending, packed.substr(0, cut));
      EXPECT_NE(message_of(path).find("truncated"), std::string::npos) << ending << " at " << cut;
    }
    std::string damaged = packed;
    damaged[damaged.size() / 2] ^= 0x55;
    EXPECT_NE(message_of(folder.write("bad" + ending, damaged)).find("damaged"), std::string::npos);
    EXPECT_NE(message_of(folder.write("plain" + ending, "just text\n")).find("not a"),
              std::string::npos);
  }
}

TEST(TextSource, RefusesAFileThatDecompressesToTooMuch) {
  const TemporaryFolder folder;
  for (const char* name : {"bomb.gz", "bomb.zst"}) {
    write_file(folder.file(name), std::string(std::size_t{64} << 20, '\n'));
    const std::string message = message_of(folder.file(name), {.max_unpacked_bytes = 1 << 20});
    EXPECT_NE(message.find("‹max-unpacked-bytes›"), std::string::npos) << message;
  }
}

TEST(TextSource, ReportsWhyAFileCannotBeOpened) {
  const TemporaryFolder folder;
  EXPECT_NE(message_of(folder.file("none")).find("No such file"), std::string::npos);
  EXPECT_NE(message_of(folder.file("none.gz")).find("No such file"), std::string::npos);
  EXPECT_NE(message_of(folder.file("")).find("is a directory"), std::string::npos);
  EXPECT_EQ(message_of(folder.write("empty", "")), "");
}

TEST(TextSource, CutsALineBeyondTheLimit) {
  const TemporaryFolder folder;
  const std::string text = "short\n" + std::string(100'000, 'x') + "\nmore\n";
  for (const char* name : {"a.txt", "a.txt.zst"}) {
    write_file(folder.file(name), text);
    const std::string all =
        all_of(*open_text(folder.file(name), {.max_line_bytes = 1000, .block_bytes = 100}));
    EXPECT_GT(all.size(), 1006U) << name;
    EXPECT_LT(all.size(), 50'000U) << name;
  }
}

RC_GTEST_PROP(TextSource, BlocksAreTheWholeTextWhateverTheirSize,
              (std::vector<std::string> lines)) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  RC_PRE(!text.starts_with("\xEF\xBB\xBF"));
  const auto block_bytes = *rc::gen::inRange<std::size_t>(1, 50);
  const auto source = text_in_memory(text, {.block_bytes = block_bytes});
  RC_ASSERT(all_of(*source) == text);
}

TEST(ReadFile, RefusesLargeFilesCompressedOrNot) {
  const TemporaryFolder folder;
  const std::string text(200'000, 'x');
  for (const char* name : {"a", "a.gz", "a.zst"}) {
    write_file(folder.file(name), text);
    EXPECT_EQ(read_file(folder.file(name), 200'000), text);
    EXPECT_THROW(read_file(folder.file(name), 199'999), Error);
  }
  EXPECT_THROW(read_file("/dev/zero", 1000), Error);
}

}  // namespace
}  // namespace podium::text_source_test
