#include "core/unpack.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/file_errors.h"
#include "core/file_stamp.h"
#include "core/unpack_optional.h"
#include "podium/error.h"

namespace podium {
namespace {

constexpr std::size_t kPackedBytes = std::size_t{256} << 10;

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(const std::string& path) : path_(path), file_(open_for_reading(path)) {}

  std::size_t read(std::span<char> out) override {
    for (;;) {
      const ssize_t got = ::read(file_.get(), out.data(), out.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw file_error(path_, "cannot be read", errno);
    }
  }

 private:
  std::string path_;
  FileDescriptor file_;
};

// Compressed bytes, one buffer at a time.
class PackedInput {
 public:
  explicit PackedInput(const std::string& path) : file_(path), buffer_(kPackedBytes) {}

  // The bytes not used yet; empty at the end of the file.
  std::span<char> rest() {
    if (begin_ == end_) {
      begin_ = 0;
      end_ = file_.read(buffer_);
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void use(std::size_t count) { begin_ += count; }

 private:
  PlainStream file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

class GzipStream final : public ByteStream {
 public:
  explicit GzipStream(const std::string& path) : path_(path), input_(path) {
    if (inflateInit2(&state_, 15 + 16) != Z_OK)
      throw Error(ErrorCode::file, "not enough memory to decompress it", {path});
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() override { inflateEnd(&state_); }

  std::size_t read(std::span<char> out) override {
    state_.next_out = reinterpret_cast<Bytef*>(out.data());
    state_.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), 1U << 30));
    const uInt room = state_.avail_out;
    while (state_.avail_out == room) {
      const std::span<char> packed = input_.rest();
      if (packed.empty()) {
        if (inside_member_)
          throw Error(ErrorCode::data, "the gzip file is truncated: copy or download it again",
                      {path_});
        return 0;
      }
      inflate_some(packed);
    }
    return room - state_.avail_out;
  }

 private:
  void inflate_some(std::span<char> packed) {
    if (!inside_member_) inflateReset(&state_);
    inside_member_ = true;
    state_.next_in = reinterpret_cast<Bytef*>(packed.data());
    state_.avail_in = static_cast<uInt>(packed.size());
    const int result = inflate(&state_, Z_NO_FLUSH);
    input_.use(packed.size() - state_.avail_in);
    if (result == Z_STREAM_END) {
      inside_member_ = false;
      any_member_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw Error(ErrorCode::data,
                  any_member_ ? "the gzip file is damaged, or has other bytes after its end"
                              : "not a gzip file, or a damaged one",
                  {path_});
    }
  }

  std::string path_;
  PackedInput input_;
  z_stream state_{};
  bool inside_member_ = false;
  bool any_member_ = false;
};

class ZstdStream final : public ByteStream {
 public:
  explicit ZstdStream(const std::string& path)
      : path_(path), input_(path), state_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!state_) throw Error(ErrorCode::file, "not enough memory to decompress it", {path});
  }

  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer unpacked{out.data(), out.size(), 0};
    while (unpacked.pos == 0) {
      const std::span<char> packed = input_.rest();
      if (packed.empty() && !inside_frame_) return 0;
      ZSTD_inBuffer in{packed.data(), packed.size(), 0};
      const std::size_t result = ZSTD_decompressStream(state_.get(), &unpacked, &in);
      input_.use(in.pos);
      if (ZSTD_isError(result))
        throw Error(
            ErrorCode::data,
            fmt::format("not a zstd file, or a damaged one ({})", ZSTD_getErrorName(result)),
            {path_});
      inside_frame_ = result != 0;
      if (packed.empty() && unpacked.pos == 0 && inside_frame_)
        throw Error(ErrorCode::data, "the zstd file is truncated: copy or download it again",
                    {path_});
    }
    return unpacked.pos;
  }

 private:
  std::string path_;
  PackedInput input_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> state_;
  bool inside_frame_ = false;
};

// Stops a file that decompresses to more than is allowed, before it fills the memory.
class LimitedStream final : public ByteStream {
 public:
  LimitedStream(std::unique_ptr<ByteStream> stream, std::string path, std::uint64_t limit)
      : stream_(std::move(stream)), path_(std::move(path)), limit_(limit) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t got = stream_->read(out);
    total_ += got;
    if (total_ > limit_)
      throw Error(ErrorCode::data,
                  fmt::format("decompresses to more than {} bytes; raise ‹max-unpacked-bytes› if "
                              "it really is that large",
                              limit_),
                  {path_});
    return got;
  }

 private:
  std::unique_ptr<ByteStream> stream_;
  std::string path_;
  std::uint64_t limit_, total_ = 0;
};

std::unique_ptr<ByteStream> open_plain(const std::string& path) {
  return std::make_unique<PlainStream>(path);
}

std::uint64_t half_of_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

}  // namespace

Packing packing_of(std::string_view path) {
  if (path.ends_with(".gz")) return Packing::gzip;
  if (path.ends_with(".zst")) return Packing::zstd;
  if (path.ends_with(".xz")) return Packing::xz;
  if (path.ends_with(".bz2")) return Packing::bzip2;
  return Packing::none;
}

bool can_be_packed(Packing packing) {
  return packing != Packing::xz && packing != Packing::bzip2;
}

std::string_view without_packing(std::string_view path) {
  if (packing_of(path) != Packing::none) path.remove_suffix(path.size() - path.rfind('.'));
  return path;
}

std::unique_ptr<ByteStream> open_stream(const std::string& path, std::int64_t max_unpacked_bytes) {
  const std::uint64_t limit =
      max_unpacked_bytes > 0 ? static_cast<std::uint64_t>(max_unpacked_bytes) : half_of_memory();
  switch (packing_of(path)) {
    case Packing::gzip:
      return std::make_unique<LimitedStream>(std::make_unique<GzipStream>(path), path, limit);
    case Packing::zstd:
      return std::make_unique<LimitedStream>(std::make_unique<ZstdStream>(path), path, limit);
    case Packing::xz:
      return std::make_unique<LimitedStream>(open_xz(open_plain(path), path), path, limit);
    case Packing::bzip2:
      return std::make_unique<LimitedStream>(open_bzip2(open_plain(path), path), path, limit);
    case Packing::none:
      break;
  }
  return std::make_unique<PlainStream>(path);
}

namespace {

std::string read_all(const std::string& path, std::int64_t max_bytes) {
  const auto stream = open_stream(path, std::numeric_limits<std::int64_t>::max());
  const auto limit = static_cast<std::size_t>(max_bytes);
  std::string text;
  for (std::size_t size = 0;;) {
    text.resize(std::min(std::max<std::size_t>(2 * size, 64 << 10), limit + 1));
    const std::size_t got = stream->read(std::span(text).subspan(size));
    size += got;
    if (size > limit)
      throw Error(ErrorCode::data,
                  fmt::format("larger than the {} bytes allowed for such a file", limit), {path});
    if (got == 0) {
      text.resize(size);
      return text;
    }
  }
}

}  // namespace

std::string read_file(const std::string& path, std::int64_t max_bytes) {
  return read_unchanged(path, [&] { return read_all(path, max_bytes); });
}

}  // namespace podium
