#include "core/file_errors.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace podium {

Error file_error(const std::string& path, std::string_view what, int error_number) {
  return Error(ErrorCode::file,
               fmt::format("{}: {}", what, std::generic_category().message(error_number)), {path});
}

FileDescriptor::~FileDescriptor() {
  close();
}

int FileDescriptor::close() noexcept {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor <= STDERR_FILENO) return 0;
  // Linux closes the descriptor even if a signal interrupts the call.
  return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

FileDescriptor open_patiently(const std::string& path, int flags) {
  for (;;) {
    const int descriptor = open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EINTR) return FileDescriptor(descriptor);
  }
}

FileDescriptor open_for_reading(const std::string& path) {
  if (path == "-") return FileDescriptor(STDIN_FILENO);
  FileDescriptor file = open_patiently(path, O_RDONLY);
  if (file.get() < 0) throw file_error(path, "cannot be opened", errno);
  struct stat status {};
  if (fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode))
    throw Error(ErrorCode::file, "is a directory, not a file", {path});
  return file;
}

}  // namespace podium
