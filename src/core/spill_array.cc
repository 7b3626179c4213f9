#include "core/spill_array.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/file_errors.h"
#include "core/memory_limit.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::uint64_t kShare = 4;  // a quarter of the memory may be used

// A file without a name.
FileDescriptor nameless_file(const std::string& folder) {
  std::string path = folder + "/podium-XXXXXX";
  FileDescriptor file(mkostemp(path.data(), O_CLOEXEC));
  if (file.get() >= 0) unlink(path.c_str());
  return file;
}

void* map_file(std::size_t bytes) {
  std::error_code no_folder;
  std::string folder = std::filesystem::temp_directory_path(no_folder).string();
  if (no_folder) folder = "/tmp";
  const FileDescriptor file = nameless_file(folder);
  const auto fail = [&](int cause) {
    throw Error(ErrorCode::file,
                fmt::format("not enough space for {} MB of temporary data in {}: {}; set TMPDIR to "
                            "another folder, or use a machine with more memory",
                            (bytes >> 20) + 1, folder, std::generic_category().message(cause)));
  };
  if (file.get() < 0) fail(errno);
  // Allocates the disk space now: otherwise a full disk would end the process at some later write.
  int cause = 0;
  do cause = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  while (cause == EINTR);
  if (cause) fail(cause);
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) fail(errno);
  return data;
}

}  // namespace

Storage storage_for(std::uint64_t bytes) {
  return bytes > memory_limit() / kShare ? Storage::file : Storage::memory;
}

void* map_storage(std::size_t bytes, Storage storage) {
  if (storage == Storage::file) return map_file(bytes);
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return map_file(bytes);
  madvise(data, bytes, MADV_HUGEPAGE);
  return data;
}

void unmap_storage(void* data, std::size_t bytes) noexcept {
  munmap(data, bytes);
}

}  // namespace podium
