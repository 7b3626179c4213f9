// Finds the end of a request's head, and checks it before it is parsed. Lines end with CR LF: RFC
// 9112 allows servers to accept a single LF as well, but not all do, and a proxy in front that
// differs would see other requests than this server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace podium {

class HeadScanner {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{8} << 10;  // with its end; as cpp-httplib
  static constexpr std::size_t kMaxHead = std::size_t{32} << 10;

  enum class State : std::uint8_t {
    open,       // more is to come
    complete,   // the empty line is there
    long_line,  // the first line, which has the URL
    too_large,  // another line, or the whole head
    malformed,
  };
  // Takes the next bytes; bytes after the head are ignored.
  State feed(std::string_view bytes);

 private:
  State take(char c);

  State state_ = State::open;
  std::size_t head_ = 0, line_ = 0;  // bytes so far
  bool first_line_ = true, after_cr_ = false;
};

}  // namespace podium
