#include "core/file_stamp.h"

#include <sys/stat.h>

namespace podium {

FileStamp::FileStamp(const std::string& path) : path_(path), then_(state_of(path)) {}

FileStamp::State FileStamp::state_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {true,           status.st_dev,         status.st_ino,
          status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

bool FileStamp::is_outdated() const {
  const State now = state_of(path_);
  const bool is_same_file = then_.is_regular && now.is_regular && now.device == then_.device &&
                            now.number == then_.number;
  return is_same_file && (now.size != then_.size || now.seconds != then_.seconds ||
                          now.nanoseconds != then_.nanoseconds);
}

void FileStamp::require_unchanged() const {
  if (is_outdated()) throw Error(ErrorCode::file, "the file changed while it was read", {path_});
}

}  // namespace podium
