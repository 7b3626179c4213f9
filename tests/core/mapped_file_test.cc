#include "core/mapped_file.h"

#include <barrier>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "podium/error.h"
#include "support/resident_file_bytes.h"
#include "support/temporary_folder.h"

namespace podium::mapped_file_test {
namespace {

using testing::TemporaryFolder;

TEST(MappedFile, HoldsTheBytes) {
  const TemporaryFolder folder;
  EXPECT_EQ(MappedFile(folder.write("a", "some bytes")).bytes(), "some bytes");
  EXPECT_TRUE(MappedFile(folder.write("b", "")).bytes().empty());
  EXPECT_THROW(MappedFile(folder.file("none")), Error);
  EXPECT_THROW(MappedFile("/dev/null"), Error);
}

TEST(MappedFile, ReleasedPartsAreFreedAndCanBeReadAgain) {
  constexpr std::size_t kSize = std::size_t{16} << 20, kSlack = std::size_t{2} << 20;
  const TemporaryFolder folder;
  std::string text;
  while (text.size() < kSize) text += std::to_string(text.size()) + " ";
  const MappedFile file(folder.write("text", text));
  const std::size_t before = testing::resident_file_bytes();
  EXPECT_EQ(file.bytes(), text);
  const std::size_t read = testing::resident_file_bytes();
  if (read == 0) GTEST_SKIP() << "the system does not tell what is resident";
  EXPECT_GT(read, before + kSize - kSlack);
  file.release(file.bytes().substr(1, kSize - 100));
  EXPECT_LT(testing::resident_file_bytes(), before + kSlack);
  file.release({});
  file.release(file.bytes().substr(5, 10));  // less than a page
  EXPECT_EQ(file.bytes(), text);
}

// Runs in a child process: reads a mapped file after somebody truncated it.
void read_truncated(const std::string& path) {
  install_truncation_handler();
  const MappedFile file(path);
  std::filesystem::resize_file(path, 0);
  volatile char sum = 0;
  for (const char c : file.bytes()) sum = static_cast<char>(sum + c);
  _exit(0);
}

TEST(MappedFileDeathTest, TruncationEndsWithAOneLineError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data.podium", std::string(100'000, 'x'));
  EXPECT_EXIT(read_truncated(path), ::testing::ExitedWithCode(1),
              "podium: error: .*data.podium: the file was truncated while it was in use");
}

// The same in several threads at once, each on its own page.
void read_truncated_in_threads(const std::string& path) {
  constexpr std::ptrdiff_t kThreads = 8;
  install_truncation_handler();
  const MappedFile file(path);
  std::filesystem::resize_file(path, 0);
  std::barrier start(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      start.arrive_and_wait();
      const volatile char first = file.bytes()[thread * 4096];
      static_cast<void>(first);
    });
  threads.clear();
  _exit(0);
}

TEST(MappedFileDeathTest, SeveralThreadsPrintOneLine) {
  const TemporaryFolder folder;
  for (int round = 0; round < 20; ++round) {
    const std::string path = folder.write("data.podium", std::string(100'000, 'x'));
    EXPECT_EXIT(read_truncated_in_threads(path), ::testing::ExitedWithCode(1),
                "^podium: error: [^\n]*data.podium: the file was truncated while it was in use\n$");
  }
}

TEST(MappedFileDeathTest, OtherBusErrorsKeepTheirAction) {
  EXPECT_EXIT(
      {
        install_truncation_handler();
        raise(SIGBUS);
        raise(SIGBUS);
        _exit(0);
      },
      ::testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace podium::mapped_file_test
