#include "core/text_source.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <sys/stat.h>

#include "core/mapped_file.h"
#include "core/unpack.h"

namespace podium {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A block with a copy of the lines.
TextBlock copy_block(std::string_view lines) {
  const bool ended = lines.ends_with('\n');
  auto owned = std::make_shared<std::vector<char>>();
  owned->reserve(lines.size() + 1 + TextBlock::kReadableBehind);
  owned->assign(lines.begin(), lines.end());
  if (!ended) owned->push_back('\n');
  owned->resize(owned->size() + TextBlock::kReadableBehind);
  return {{owned->data(), lines.size() + (ended ? 0 : 1)}, owned};
}

constexpr std::size_t kSmallestBlock = std::size_t{256} << 10;
constexpr std::size_t kLargestBlock = std::size_t{4} << 20;
constexpr std::size_t kStreamBlock = std::size_t{1} << 20;

// Keeps the pages of a mapped file's lines in memory during its lifetime.
class MappedLines {
 public:
  MappedLines(std::shared_ptr<const MappedFile> file, std::string_view lines)
      : file_(std::move(file)), lines_(lines) {}
  ~MappedLines() { file_->release(lines_); }
  MappedLines(const MappedLines&) = delete;
  MappedLines& operator=(const MappedLines&) = delete;

 private:
  std::shared_ptr<const MappedFile> file_;
  std::string_view lines_;
};

// Divides text that is already in memory, copying only the last block.
class WholeText final : public TextSource {
 public:
  WholeText(std::string_view text, std::shared_ptr<const MappedFile> file, const TextLimits& limits)
      : rest_(text), file_(std::move(file)), limits_(limits) {
    if (limits_.block_bytes == 0)
      limits_.block_bytes = std::clamp(rest_.size() / 16, kSmallestBlock, kLargestBlock);
  }

  std::optional<TextBlock> next() override {
    if (rest_.empty()) return std::nullopt;
    const std::size_t wanted = limits_.block_bytes - 1;
    std::size_t size = rest_.size();
    if (wanted < size) {
      const std::size_t reach =
          std::min(size - wanted, static_cast<std::size_t>(limits_.max_line_bytes) + 2);
      const void* end = std::memchr(rest_.data() + wanted, '\n', reach);
      if (end) {
        size = static_cast<std::size_t>(static_cast<const char*>(end) - rest_.data()) + 1;
      } else if (wanted + reach < size) {  // a line beyond the limit ends the text here
        TextBlock cut = copy_block(rest_.substr(0, wanted + reach));
        rest_ = {};
        return cut;
      }
    }
    const std::string_view lines = rest_.substr(0, size);
    rest_.remove_prefix(size);
    if (rest_.size() < TextBlock::kReadableBehind || !file_) return copy_block(lines);
    return TextBlock{lines, std::make_shared<const MappedLines>(file_, lines)};
  }

  bool is_mapped() const noexcept override { return file_ != nullptr; }

 private:
  std::string_view rest_;
  std::shared_ptr<const MappedFile> file_;  // null: copy everything
  TextLimits limits_;
};

// Divides a stream; each block has its own buffer.
class StreamedText final : public TextSource {
 public:
  StreamedText(std::unique_ptr<ByteStream> stream, const TextLimits& limits)
      : stream_(std::move(stream)), limits_(limits) {
    if (limits_.block_bytes == 0) limits_.block_bytes = kStreamBlock;
  }

  std::optional<TextBlock> next() override {
    if (ended_ && carry_.empty()) return std::nullopt;
    auto block = std::make_shared<std::vector<char>>(carry_.begin(), carry_.end());
    carry_.clear();
    std::size_t searched = 0;  // bytes known to hold no line end
    for (std::size_t wanted = limits_.block_bytes;; wanted = 2 * block->size()) {
      fill(*block, wanted);
      const std::string_view text(block->data(), block->size());
      const std::size_t line_end = text.substr(searched).rfind('\n');
      if (ended_) return finish(std::move(block), text.size());
      if (line_end != std::string_view::npos) {
        const std::size_t size = searched + line_end + 1;
        carry_.assign(text.begin() + static_cast<std::ptrdiff_t>(size), text.end());
        return finish(std::move(block), size);
      }
      if (text.size() > static_cast<std::size_t>(limits_.max_line_bytes) + 1) {
        ended_ = true;
        return finish(std::move(block), text.size());
      }
      searched = text.size();
    }
  }

 private:
  void fill(std::vector<char>& block, std::size_t wanted) {
    std::size_t size = block.size();
    block.reserve(wanted + 1 + TextBlock::kReadableBehind);
    block.resize(std::max(wanted, size));
    while (size < wanted && !ended_) {
      const std::size_t got = stream_->read(std::span(block).subspan(size));
      ended_ = got == 0;
      size += got;
      if (first_ && (size >= kByteOrderMark.size() || ended_)) {
        first_ = false;
        const std::size_t mark = kByteOrderMark.size();
        if (std::string_view(block.data(), size).starts_with(kByteOrderMark)) {
          std::memmove(block.data(), block.data() + mark, size - mark);
          size -= mark;
        }
      }
    }
    block.resize(size);
  }

  std::optional<TextBlock> finish(std::shared_ptr<std::vector<char>> block, std::size_t size) {
    if (size == 0) return std::nullopt;
    block->resize(size);
    if (block->back() != '\n') block->push_back('\n');
    size = block->size();
    block->resize(size + TextBlock::kReadableBehind);
    return TextBlock{{block->data(), size}, block};
  }

  std::unique_ptr<ByteStream> stream_;
  TextLimits limits_;
  std::vector<char> carry_;
  bool ended_ = false, first_ = true;
};

bool can_be_mapped(const std::string& path) {
  struct stat status {};
  return packing_of(path) == Packing::none && path != "-" && stat(path.c_str(), &status) == 0 &&
         S_ISREG(status.st_mode) && status.st_size > 0;
}

}  // namespace

std::unique_ptr<TextSource> open_text(const std::string& path, const TextLimits& limits) {
  if (can_be_mapped(path)) {
    auto file = std::make_shared<MappedFile>(path);
    const std::string_view bytes = without_mark(file->bytes());
    return std::make_unique<WholeText>(bytes, std::move(file), limits);
  }
  return std::make_unique<StreamedText>(open_stream(path, limits.max_unpacked_bytes), limits);
}

std::unique_ptr<TextSource> part_of_text(std::shared_ptr<const MappedFile> file,
                                         std::string_view part, const TextLimits& limits) {
  return std::make_unique<WholeText>(part, std::move(file), limits);
}

std::string_view without_mark(std::string_view text) noexcept {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

std::unique_ptr<TextSource> text_in_memory(std::string_view text, const TextLimits& limits) {
  return std::make_unique<WholeText>(without_mark(text), nullptr, limits);
}

}  // namespace podium
