// Decodes a chunked body (RFC 9112, 7.1) as its bytes arrive:
//
//   SIZE [;extension] CR LF bytes CR LF …, 0 [;extension] CR LF, trailer fields, CR LF
//
// cpp-httplib parses sizes leniently (a sign, a prefix 0x, any number of digits), does not support
// trailers, and does not report errors; a proxy in front that finds a different end of the body
// would see other requests than this server. So this parser is exact: extensions and trailers are
// ignored, as the RFC requires, but only if they are well-formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace podium {

class ChunkDecoder {
 public:
  static constexpr std::size_t kMaxExtensions = std::size_t{8} << 10;  // bytes, of all chunks
  static constexpr std::size_t kMaxTrailers = std::size_t{8} << 10;

  enum class State : std::uint8_t { open, complete, malformed, too_large };

  // `max_bytes`: of all chunks; exceeding it is detected as soon as a chunk size is read.
  explicit ChunkDecoder(std::uint64_t max_bytes) : left_(max_bytes) {}

  // Appends the data of the next bytes to `body`. Returns how many bytes belong to the body: all of
  // them while the state is open.
  std::size_t feed(std::string_view bytes, std::string& body);
  State state() const noexcept { return state_; }

 private:
  // What the next byte is part of.
  enum class Part : std::uint8_t {
    first_digit,
    digits,
    before_extension,
    extension,
    size_lf,
    data,
    data_cr,
    data_lf,
    line_begin,  // of a trailer, or of the empty line
    name,
    value,
    value_lf,
    last_lf,
  };
  State take(char c);
  State take_digit(char c);
  State take_extension(char c);
  State take_trailer(char c);
  State expect(char c, char wanted, Part next);

  State state_ = State::open;
  Part part_ = Part::first_digit;
  std::uint64_t left_;       // of max_bytes
  std::uint64_t chunk_ = 0;  // bytes of this chunk, then those left
  std::size_t extensions_ = 0, trailers_ = 0;
};

}  // namespace podium
