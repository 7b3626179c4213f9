// A file being written. Bytes go to a temporary name in the same folder, and commit() brings them
// to the disk and renames it, so that no one ever sees half a file, not even after a power cut;
// without commit() nothing is left behind. A name that ends in `.gz` or `.zst` is packed. `-` is
// standard output, and what is no regular file (a pipe, /dev/null) is written directly.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace podium {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Both throw an Error when the system refuses (no space left, …).
  void write(std::string_view bytes);
  void commit();

 private:
  class Target;
  class Packer;
  class GzipPacker;
  class ZstdPacker;
  std::unique_ptr<Target> target_;
  std::unique_ptr<Packer> packer_;  // null: plain
};

// Writes all of it, or throws and leaves what was there.
void write_file(const std::string& path, std::string_view bytes);

// Throws the Error that writing the file would end with now: a folder that is missing or read-only.
// For use before hours of work; what is no regular file is not touched.
void require_writable(const std::string& path);

// Deletes temporary files of this path that processes left which were killed while writing it.
void remove_leftovers(const std::string& path);

}  // namespace podium
