// Opening files, and the errors if that fails.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "podium/error.h"

namespace podium {

// "PATH: WHAT: No such file or directory"
Error file_error(const std::string& path, std::string_view what, int error_number);

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor();

  int get() const noexcept { return descriptor_; }
  // Closes the descriptor now; returns 0 or the error number.
  int close() noexcept;

 private:
  int descriptor_;  // the standard streams are never closed
};

// open(2), repeated if a signal interrupts it. The descriptor is closed on exec, and new files get
// the permissions that the umask allows. On failure get() < 0 and errno is set.
FileDescriptor open_patiently(const std::string& path, int flags);

// `-` is standard input. Throws an Error for a missing file, a directory, or one without read
// permission.
FileDescriptor open_for_reading(const std::string& path);

}  // namespace podium
