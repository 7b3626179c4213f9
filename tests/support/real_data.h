// Real data for tests: the folder in the environment variable PODIUM_DATA, and LETOR sets unpacked
// from it once, into a folder next to the test programs.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

namespace podium::testing {

// "" if PODIUM_DATA is not set.
inline std::string data_folder() {
  const char* folder = std::getenv("PODIUM_DATA");
  return folder ? folder : "";
}

// An exclusive lock on a file, between processes, during the object's lifetime.
class FileLock {
 public:
  explicit FileLock(const std::string& path) : file_(open(path.c_str(), O_CREAT | O_RDWR, 0644)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + path);
  }
  ~FileLock() { close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

// Standard output of a shell command.
inline std::string output_of(const std::string& command) {
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<FILE, Close> pipe(popen(command.c_str(), "r"));
  if (!pipe) throw std::runtime_error("cannot run " + command);
  std::string output;
  std::array<char, 65536> buffer;
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe.get()))
    output.append(buffer.data(), count);
  return output;
}

// The folder of a LETOR set ("MQ2007", "MQ2008", "OHSUMED") with Fold1 … Fold5. Safe to call from
// several test programs at a time: one unpacks, under a lock, and the others wait.
inline std::string letor_set(const std::string& set) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path() / "real-data";
  fs::create_directories(folder);
  const FileLock lock((folder / (set + ".lock")).string());
  const fs::path done = folder / (set + ".done");
  if (!fs::exists(done)) {
    const std::string command = "'" + data_folder() + "/unpack' '" + folder.string() + "' " + set +
                                " && touch '" + done.string() + "'";
    output_of(command);
    if (!fs::exists(done)) throw std::runtime_error("failed: " + command);
  }
  return (folder / set).string();
}

// The content of an .xz file.
inline std::string read_xz(const std::string& path) {
  std::string text = output_of("xz -dc '" + path + "'");
  if (text.empty()) throw std::runtime_error("cannot unpack " + path);
  return text;
}

}  // namespace podium::testing

// Put it first in a test that needs real data.
#define PODIUM_REQUIRE_DATA()                   \
  if (::podium::testing::data_folder().empty()) \
  GTEST_SKIP() << "set PODIUM_DATA to the folder of the real data sets to run this test"
