// Tells whether another process wrote to a file while its text was in use.
#pragma once

#include <string>

#include <sys/types.h>

#include "podium/error.h"

namespace podium {

// For regular files; anything else (a pipe, `-`) is never outdated. A file that was replaced or
// removed can still be read by processes that have it open, so that does not count as a change.
class FileStamp {
 public:
  explicit FileStamp(const std::string& path);

  bool is_outdated() const;
  // Throws an Error if the file is outdated.
  void require_unchanged() const;

 private:
  struct State {
    bool is_regular = false;
    dev_t device = 0;
    ino_t number = 0;
    off_t size = 0;
    time_t seconds = 0;
    long nanoseconds = 0;
  };
  static State state_of(const std::string& path);

  std::string path_;
  State then_;
};

// The result of read(). If the file was written to meanwhile, throws that Error instead, whether or
// not read() succeeded.
template <class Read>
auto read_unchanged(const std::string& path, Read&& read) {
  const FileStamp stamp(path);
  try {
    auto content = read();
    stamp.require_unchanged();
    return content;
  } catch (const Error&) {
    stamp.require_unchanged();
    throw;
  }
}

}  // namespace podium
