#include "core/unpack_optional.h"

#ifdef PODIUM_HAS_BZIP2
#include <algorithm>
#include <array>

#include <bzlib.h>
#endif

#include "podium/error.h"

namespace podium {

#ifdef PODIUM_HAS_BZIP2

namespace {

class Bzip2Stream final : public ByteStream {
 public:
  Bzip2Stream(std::unique_ptr<ByteStream> packed, const std::string& path)
      : path_(path), packed_(std::move(packed)) {}
  Bzip2Stream(const Bzip2Stream&) = delete;
  Bzip2Stream& operator=(const Bzip2Stream&) = delete;
  ~Bzip2Stream() override {
    if (inside_) BZ2_bzDecompressEnd(&state_);
  }

  std::size_t read(std::span<char> out) override {
    const auto room = static_cast<unsigned>(std::min<std::size_t>(out.size(), 1U << 30));
    state_.next_out = out.data();
    state_.avail_out = room;
    while (state_.avail_out == room) {
      if (state_.avail_in == 0) {
        state_.avail_in = static_cast<unsigned>(packed_->read(buffer_));
        state_.next_in = buffer_.data();
      }
      if (state_.avail_in == 0) {
        if (inside_)
          throw Error(ErrorCode::data, "the bzip2 file is truncated: copy or download it again",
                      {path_});
        break;
      }
      if (!inside_) begin();
      step();
    }
    return room - state_.avail_out;
  }

 private:
  void begin() {
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK)
      throw Error(ErrorCode::file, "not enough memory to decompress it", {path_});
    inside_ = true;
  }
  void step() {
    const int result = BZ2_bzDecompress(&state_);
    if (result == BZ_STREAM_END) {
      BZ2_bzDecompressEnd(&state_);
      inside_ = false;
    } else if (result == BZ_MEM_ERROR) {
      throw Error(ErrorCode::file, "not enough memory to decompress it", {path_});
    } else if (result != BZ_OK) {
      throw Error(ErrorCode::data, "not a bzip2 file, or a damaged one", {path_});
    }
  }

  std::string path_;
  std::unique_ptr<ByteStream> packed_;
  std::array<char, 64 << 10> buffer_;
  bz_stream state_{};
  bool inside_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> open_bzip2(std::unique_ptr<ByteStream> packed,
                                       const std::string& path) {
  return std::make_unique<Bzip2Stream>(std::move(packed), path);
}

#else

std::unique_ptr<ByteStream> open_bzip2(std::unique_ptr<ByteStream>, const std::string& path) {
  throw Error(ErrorCode::file,
              "this build cannot read bzip2 files: decompress it with `bunzip2 -k` first", {path});
}

#endif

}  // namespace podium
