// Text as a sequence of large blocks that end at line ends, to be parsed in parallel. Block
// boundaries depend only on the text and the block size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace podium {

class MappedFile;

// Whole lines. The last byte is '\n' (added if the file lacks it), and kReadableBehind bytes after
// it may be read, so that scanners can load whole words.
struct TextBlock {
  static constexpr std::size_t kReadableBehind = 64;

  std::string_view text;
  std::shared_ptr<const void> owner;
};

struct TextLimits {
  std::int64_t max_line_bytes = std::int64_t{64} << 20;
  std::int64_t max_unpacked_bytes = 0;  // of a compressed file; 0: half of the machine's memory
  std::size_t block_bytes = 0;  // 0: a sixteenth of a plain file, 256 KiB to 4 MiB; else 1 MiB
};

class TextSource {
 public:
  virtual ~TextSource() = default;
  // The next block, or nullopt at the end. A line longer than the limit is cut after the limit and
  // ends the text: the code that parses it knows its number for the error.
  virtual std::optional<TextBlock> next() = 0;
  // Whether blocks cost no memory of their own, so that any number of them can be fetched.
  virtual bool is_mapped() const noexcept { return false; }
};

// A plain file is mapped, `.gz` and `.zst` files are decompressed on the fly, `-` is standard
// input. A byte order mark at the start is skipped.
std::unique_ptr<TextSource> open_text(const std::string& path, const TextLimits& limits);
// A part of a mapped file, from the beginning of a line to the end of one.
std::unique_ptr<TextSource> part_of_text(std::shared_ptr<const MappedFile> file,
                                         std::string_view part, const TextLimits& limits);
// Without a byte order mark.
std::string_view without_mark(std::string_view text) noexcept;
std::unique_ptr<TextSource> text_in_memory(std::string_view text, const TextLimits& limits);

}  // namespace podium
