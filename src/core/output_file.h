// A file being written. Bytes go to a temporary file in the same folder, which commit() syncs to
// the disk and renames, so that nobody ever sees half a file, not even after a power failure;
// without commit() nothing is left behind. A name that ends in `.gz` or `.zst` is compressed. `-`
// is standard output, and anything that is not a regular file (a pipe, /dev/null) is written
// directly.
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

  // Both throw an Error if the system reports one (no space left, …).
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

// Writes the whole file, or throws and leaves the previous one unchanged.
void write_file(const std::string& path, std::string_view bytes);

// Throws the Error that writing the file would cause now, because the folder is missing or
// read-only. For use before hours of work; anything that is not a regular file is left alone.
void require_writable(const std::string& path);

// Deletes temporary files of this path left by processes that were killed while writing it.
void remove_leftovers(const std::string& path);

}  // namespace podium
