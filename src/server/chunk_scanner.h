// The frames of a body in chunks (RFC 9112, 7.1), followed as the bytes pass: SIZE [;extension] CR
// LF bytes CR LF …, 0 CR LF CR LF. cpp-httplib takes the chunks apart, but reads sizes leniently (a
// sign, a prefix 0x, as many digits as there are) and does not say what was wrong. Trailers are
// malformed.
#pragma once

#include <cstdint>
#include <string_view>

namespace podium {

class ChunkScanner {
 public:
  enum class State : std::uint8_t { open, complete, malformed, too_large };

  // `max_bytes`: of all chunks together; beyond it as soon as a size says so.
  explicit ChunkScanner(std::uint64_t max_bytes) : left_(max_bytes) {}

  // The next bytes; what comes behind the body is not looked at.
  State feed(std::string_view bytes);

 private:
  // What the next byte belongs to.
  enum class Part : std::uint8_t {
    first_digit,
    digits,
    extension,
    size_lf,
    data,
    data_cr,
    data_lf,
    last_cr,
    last_lf,
  };
  State take(char c);
  State take_digit(char c);
  State expect(char c, char wanted, Part next);

  State state_ = State::open;
  Part part_ = Part::first_digit;
  std::uint64_t left_;       // of max_bytes
  std::uint64_t chunk_ = 0;  // bytes of this chunk, or what is left of them
  std::uint32_t extension_ = 0;
};

}  // namespace podium
