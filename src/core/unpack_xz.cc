#include "core/unpack_optional.h"

#ifdef PODIUM_HAS_LZMA
#include <array>

#include <lzma.h>
#endif

#include "podium/error.h"

namespace podium {

#ifdef PODIUM_HAS_LZMA

namespace {

class XzStream final : public ByteStream {
 public:
  XzStream(std::unique_ptr<ByteStream> packed, const std::string& path)
      : path_(path), packed_(std::move(packed)) {
    if (lzma_stream_decoder(&state_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
      throw Error(ErrorCode::file, "not enough memory to decompress it", {path});
  }
  XzStream(const XzStream&) = delete;
  XzStream& operator=(const XzStream&) = delete;
  ~XzStream() override { lzma_end(&state_); }

  std::size_t read(std::span<char> out) override {
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = out.size();
    while (state_.avail_out == out.size() && !ended_) {
      if (state_.avail_in == 0) {
        state_.avail_in = packed_->read(buffer_);
        state_.next_in = reinterpret_cast<const std::uint8_t*>(buffer_.data());
      }
      const lzma_action action = state_.avail_in == 0 ? LZMA_FINISH : LZMA_RUN;
      const lzma_ret result = lzma_code(&state_, action);
      ended_ = result == LZMA_STREAM_END;
      if (result == LZMA_BUF_ERROR && action == LZMA_FINISH)
        throw Error(ErrorCode::data, "the xz file is truncated: copy or download it again",
                    {path_});
      if (result == LZMA_MEM_ERROR)
        throw Error(ErrorCode::file, "not enough memory to decompress it", {path_});
      if (result != LZMA_OK && !ended_)
        throw Error(ErrorCode::data, "not an xz file, or a damaged one", {path_});
    }
    return out.size() - state_.avail_out;
  }

 private:
  std::string path_;
  std::unique_ptr<ByteStream> packed_;
  std::array<char, 64 << 10> buffer_;
  lzma_stream state_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> open_xz(std::unique_ptr<ByteStream> packed, const std::string& path) {
  return std::make_unique<XzStream>(std::move(packed), path);
}

#else

std::unique_ptr<ByteStream> open_xz(std::unique_ptr<ByteStream>, const std::string& path) {
  throw Error(ErrorCode::file,
              "this build cannot read xz files: decompress it with `unxz -k` first", {path});
}

#endif

}  // namespace podium
