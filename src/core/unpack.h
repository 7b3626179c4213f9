// Files as streams of bytes: plain, or unpacked on the fly when the name ends in `.gz` (any number
// of members), `.zst` (any number of frames), `.xz` or `.bz2` (any number of streams). The last two
// are read where the build has their libraries, and are not written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace podium {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Reads up to out.size() bytes; returns 0 only at the end. Throws an Error for a damaged or
  // truncated file.
  virtual std::size_t read(std::span<char> out) = 0;
};

enum class Packing { none, gzip, zstd, xz, bzip2 };
Packing packing_of(std::string_view path);
bool can_be_packed(Packing packing);  // when writing
// "data.csv.gz" without its ".gz".
std::string_view without_packing(std::string_view path);

// max_unpacked_bytes = 0: half of the machine's memory.
std::unique_ptr<ByteStream> open_stream(const std::string& path,
                                        std::int64_t max_unpacked_bytes = 0);

// The whole file, decompressed: for models, transforms and settings, not for data. Files larger
// than max_bytes are refused before they fill the memory.
constexpr std::int64_t kMaxDocumentBytes = std::int64_t{256} << 20;
std::string read_file(const std::string& path, std::int64_t max_bytes = kMaxDocumentBytes);

}  // namespace podium
