// A whole file, mapped into memory for reading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace podium {

class MappedFile {
 public:
  // Throws an Error if the file cannot be opened or is not a regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::string_view bytes() const noexcept { return {data_, size_}; }
  // Declares that this part has been read: its whole pages no longer count as the process's memory.
  // Reading them again is allowed, and fetches them again.
  void release(std::string_view part) const noexcept;

 private:
  std::string path_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  int slot_ = -1;  // index among the mapped ranges
};

// When another process truncates a mapped file, the next read of the lost pages raises SIGBUS.
// After this call such a read ends the process with a one-line error and exit code 1; any other
// SIGBUS keeps its default action. For front ends: the library never installs it by itself.
void install_truncation_handler();

}  // namespace podium
